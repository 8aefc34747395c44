import { z } from 'zod';
import type { Role } from '../../../events/codec/event.ts';
import { liveAnswer, liveChange, liveHello } from '../../contract/live.ts';
import type { DescribedRoute, Description } from './route-docs.ts';
import { EVERYBODY } from './route-docs.ts';
import { healthAnswer } from '../routes/health.ts';
import { problems, ref } from './common.ts';
import { answerOf, bodyOf, inAddress, json, jsonSchemaOf, largestOf } from './schema.ts';

/** The paths of other routes than commands, queries and resources. */
export const routePaths = (routes: readonly DescribedRoute[]): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, description } of routes)
    (paths[path.replace(':id', '{id}')] ??= {})[method] = operation({ method, path, description });
  return paths;
};

const operation = ({ method, path, description }: DescribedRoute): object => ({
  operationId: `${method} ${path}`,
  tags: [path.split('/')[2] ?? ''],
  description: description.for === undefined ? description.does : `${description.does} For ${description.for}.`,
  ...(description.for === undefined ? { security: [] } : {}),
  parameters: [
    ...(description.viewAs ? [ref('parameters', 'X-View-As')] : []),
    ...(path.includes(':id') ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : []),
    ...((description.asks && inAddress(jsonSchemaOf(description.asks))) ?? []),
  ],
  ...(method === 'get'
    ? {}
    : { requestBody: bodyOf(description.takes ?? z.object({}), largestOf(rolesOf(description), description.largest)) }),
  responses: { ...answered(description), ...problems },
});

/** Undefined: it is for people who are not signed in too. */
const rolesOf = ({ for: who }: Description): readonly Role[] | undefined => {
  if (who === undefined) return undefined;
  return who === EVERYBODY ? ['teacher', 'student'] : ['teacher'];
};

const answered = ({ answers }: Description): object => {
  switch (answers) {
    case 'redirect':
      return { 302: { description: 'Redirects' } };
    case 'file':
    case 'figures':
      return { 200: { description: 'Prometheus text', content: { 'text/plain': { schema: { type: 'string' } } } } };
    case 'events':
      return { 200: { description: EVENTS, content: { 'text/event-stream': { schema: events() } } } };
    case healthAnswer:
      return Object.fromEntries([200, 503].map((status) => [status, { description: 'The state', content: json(answerOf(answers)) }]));
    default:
      return { 200: { description: 'Done', content: json(answerOf(answers)) } };
  }
};

const EVENTS =
  'A stream of events, each with a name and JSON: first `hello`, then `changed` for every change that the user may see, and `answer` for changes of the answers to queries that named this line in X-Line. Lines that begin with a colon are signs of life.';

const events = (): object => ({
  type: 'object',
  required: ['event', 'data'],
  oneOf: [
    { properties: { event: { const: 'hello' }, data: answerOf(liveHello) } },
    { properties: { event: { const: 'changed' }, data: answerOf(liveChange) } },
    { properties: { event: { const: 'answer' }, data: answerOf(liveAnswer) } },
  ],
});
