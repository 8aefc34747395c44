import { commandAccess, queryAccess } from '../../access.ts';
import { preparing } from '../../contract/preparing.ts';
import { asOfRoles } from '../../common/rule.ts';
import { commands } from '../../commands.ts';
import { queries } from '../../queries.ts';
import { commandCalls, queryCalls } from '../../contracts.ts';
import type { CommandCalls, QueryCalls } from '../../contracts.ts';
import type { CommandCall, QueryCall } from '../../contract/answer.ts';
import type { DescribedRoute } from './route-docs.ts';
import { common, problems, ref } from './common.ts';
import { resourcePaths } from './resources.ts';
import { routePaths } from './routes.ts';
import { whoMay } from './who-may.ts';
import { answerOf, bodyOf, inAddress, jsonSchemaOf, json, largestOf } from './schema.ts';

/**
 * The OpenAPI 3.1 document, generated from the code that validates, authorises and responds: commands and queries from their tables,
 * /api/rest from its resources, and other `routes` from their own descriptions (route-docs.ts).
 */
export const openApi = (publicUrl: string, routes: readonly DescribedRoute[]): object => {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Marktrail',
      version: '1',
      description:
        'Commands change something, queries read. Requests are authenticated by the session cookie that a log-in sets. A request from a browser that changes something must come from the same origin.',
    },
    servers: [{ url: publicUrl }],
    paths: {
      ...Object.fromEntries(
        namesOf(commandCalls).map((name) => [`/api/commands/${name}`, { post: commandOperation(name, commandCalls[name]) }]),
      ),
      ...Object.fromEntries(namesOf(queryCalls).map((name) => [`/api/queries/${name}`, queryOperations(name, queryCalls[name])])),
      ...resourcePaths(whoMay),
      ...routePaths(routes),
    },
    components: common,
    security: [{ session: [] }],
  };
};

const namesOf = <Name extends string>(calls: Readonly<Record<Name, unknown>>): Name[] => Object.keys(calls) as Name[];

const commandOperation = (name: keyof CommandCalls, { input, result }: CommandCall): object => ({
  operationId: name,
  tags: ['commands'],
  description: whoMay(commandAccess[name]),
  parameters: [ref('parameters', 'Idempotency-Key'), ref('parameters', 'X-View-As')],
  requestBody: bodyOf(input, largestOf(commandAccess[name].roles, commands[name].largest)),
  responses: {
    200: {
      description: 'Done, or already done before',
      content: json({ allOf: [ref('schemas', 'CommandAnswer'), { type: 'object', properties: { result: answerOf(result) } }] }),
    },
    ...problems,
  },
});

const queryOperations = (name: keyof QueryCalls, { input, answer }: QueryCall): object => {
  const rule = queryAccess[name];
  const asOf = asOfRoles(rule);
  const parameters = [
    ref('parameters', 'X-Min-Position'),
    ref('parameters', 'X-View-As'),
    ...(asOf.length > 0 ? [ref('parameters', 'asOf'), ref('parameters', 'Prefer')] : []),
  ];
  const headers = Object.fromEntries(
    (['X-Read-Position', 'X-Channels', 'ETag', ...(asOf.length > 0 ? (['X-As-Of-Event', 'X-As-Of-Time'] as const) : [])] as const).map(
      (header) => [header, ref('headers', header)] as const,
    ),
  );
  const operation = {
    tags: ['queries'],
    description: `${whoMay(rule)} ${asOf.length > 0 ? `As of an earlier moment for ${asOf.join(' and ')}.` : 'Only as of now.'}`,
    responses: {
      200: { description: 'The result', headers, content: json(answerOf(answer)) },
      ...(asOf.length > 0 ? { 202: { description: 'With Prefer: how far the moment is', content: json(answerOf(preparing)) } } : {}),
      ...problems,
    },
  };
  const fields = inAddress(jsonSchemaOf(input));
  return {
    ...(fields ? { get: { ...operation, operationId: `${name}-by-address`, parameters: [...parameters, ...fields] } } : {}),
    post: { ...operation, operationId: name, parameters, requestBody: bodyOf(input, largestOf(rule.roles, queries[name].largest)) },
  };
};
