import { z } from 'zod';
import type { OtherAnswer, Schema } from './answers.ts';
import type { DescribedRoute, Description } from './described.ts';
import { ref } from './common.ts';
import { bodyOf, inAddress, json, jsonSchemaOf, problems } from './schema.ts';

type Schemas = Readonly<Record<OtherAnswer, Schema>>;

/** The paths of other routes than commands, queries and resources. */
export const routePaths = (routes: readonly DescribedRoute[], schemas: Schemas): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, description } of routes) (paths[path] ??= {})[method] = operation({ method, path, description }, schemas);
  return paths;
};

const operation = ({ method, path, description }: DescribedRoute, schemas: Schemas): object => ({
  operationId: `${method} ${path}`,
  tags: [path.split('/')[2] ?? ''],
  description: description.for === undefined ? description.does : `${description.does} For ${description.for}.`,
  ...(description.for === undefined ? { security: [] } : {}),
  parameters: [
    ...(description.throughEyes ? [ref('parameters', 'X-View-As')] : []),
    ...((description.asks && inAddress(jsonSchemaOf(description.asks))) ?? []),
  ],
  ...(method === 'get' ? {} : { requestBody: bodyOf(description.takes ?? z.object({})) }),
  responses: { ...answered(description, schemas), ...problems },
});

const answered = ({ answers }: Description, schemas: Schemas): object => {
  switch (answers) {
    case 'redirect':
      return { 302: { description: 'Redirects' } };
    case 'figures':
      return { 200: { description: 'Prometheus text', content: { 'text/plain': { schema: { type: 'string' } } } } };
    case 'events':
      return { 200: { description: EVENTS, content: { 'text/event-stream': { schema: eventsOf(schemas) } } } };
    case 'health':
      return Object.fromEntries([200, 503].map((status) => [status, { description: 'The state', content: json(schemas[answers]) }]));
    default:
      return { 200: { description: 'Done', content: json(schemas[answers]) } };
  }
};

const EVENTS =
  'A stream of events, each with a name and JSON: first `hello`, then `changed` for every change that the asker may see. Lines that begin with a colon are signs of life.';

const eventsOf = ({ liveHello, liveChange }: Schemas): object => ({
  type: 'object',
  required: ['event', 'data'],
  oneOf: [
    { properties: { event: { const: 'hello' }, data: liveHello } },
    { properties: { event: { const: 'changed' }, data: liveChange } },
  ],
});
