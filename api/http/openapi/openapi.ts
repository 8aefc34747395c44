import type { z } from 'zod';
import type { Role } from '../../../events/codec/event.ts';
import { asOfRoles, commandAccess, commandsFromOutside, queryAccess } from '../../access.ts';
import type { Rule } from '../../access.ts';
import { askedOfAccounts } from '../../auth/identity/accounts.ts';
import { commands } from '../../commands.ts';
import type { CommandName } from '../../commands.ts';
import { queries } from '../../queries.ts';
import type { QueryName } from '../../queries.ts';
import type { Schema } from './answers.ts';
import { answerSchemas } from './answers.ts';
import type { DescribedRoute } from './described.ts';
import { common, ref } from './common.ts';
import { resourcePaths } from './resources.ts';
import { routePaths } from './routes.ts';
import { bodyOf, inAddress, jsonSchemaOf, json, problems } from './schema.ts';

/**
 * The OpenAPI 3.1 document, generated from the code that validates, authorises and responds: commands and queries from their tables,
 * /api/rest from its resources, and other `routes` from their own descriptions (described.ts).
 */
export const openApi = (publicUrl: string, routes: readonly DescribedRoute[]): object => {
  const answers = answerSchemas();
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
        commandsFromOutside.map((name) => [`/api/commands/${name}`, { post: commandOperation(name, answers.commands[name]) }]),
      ),
      ...Object.fromEntries(
        (Object.keys(queries) as QueryName[]).map((name) => [`/api/queries/${name}`, queryOperations(name, answers.queries[name])]),
      ),
      ...resourcePaths(whoMay, inputOf),
      ...routePaths(routes, answers.others),
    },
    components: common,
    security: [{ session: [] }],
  };
};

const commandOperation = (name: CommandName, result: Schema): object => ({
  operationId: name,
  tags: ['commands'],
  description: whoMay(commandAccess[name]),
  parameters: [ref('parameters', 'Idempotency-Key'), ref('parameters', 'X-View-As')],
  requestBody: bodyOf(inputOf(name)),
  responses: {
    200: {
      description: 'Done, or already done before',
      content: json({ allOf: [ref('schemas', 'CommandAnswer'), { type: 'object', properties: { result } }] }),
    },
    ...problems,
  },
});

const inputOf = (name: CommandName): z.ZodType => (isAskedOfAccounts(name) ? askedOfAccounts[name] : commands[name].input);
const isAskedOfAccounts = (name: CommandName): name is keyof typeof askedOfAccounts => Object.hasOwn(askedOfAccounts, name);

const queryOperations = (name: QueryName, answer: Schema): object => {
  const { input } = queries[name];
  const rule = queryAccess[name];
  const asOf = asOfRoles(rule);
  const parameters = [
    ref('parameters', 'X-Min-Position'),
    ref('parameters', 'X-View-As'),
    ...(asOf.length > 0 ? [ref('parameters', 'asOf')] : []),
  ];
  const headers = Object.fromEntries(
    (['X-Read-Position', ...(asOf.length > 0 ? (['X-As-Of-Event', 'X-As-Of-Time'] as const) : [])] as const).map(
      (header) => [header, ref('headers', header)] as const,
    ),
  );
  const asked = {
    tags: ['queries'],
    description: `${whoMay(rule)} ${asOf.length > 0 ? `As of an earlier moment for ${asOf.join(' and ')}.` : 'Only as of now.'}`,
    responses: { 200: { description: 'The result', headers, content: json(answer) }, ...problems },
  };
  const fields = inAddress(jsonSchemaOf(input));
  return {
    ...(fields ? { get: { ...asked, operationId: `${name}-by-address`, parameters: [...parameters, ...fields] } } : {}),
    post: { ...asked, operationId: name, parameters, requestBody: bodyOf(input) },
  };
};

/** 'For admin and auditor; for leader in their own subjects; for teacher in their own sets.' */
const whoMay = ({ roles, within, ifOpen }: Rule): string => {
  const all = roles.filter((role) => within === 'school' || role === 'admin' || role === 'auditor');
  const some = roles.filter((role) => !all.includes(role)).map((role) => `for ${role} ${whatIsHis(role, within)}`);
  const open = ifOpen === undefined ? [] : [`for ${ifOpen} in their own subjects while the school's structure is open to leaders`];
  const sentence = [`for ${all.join(' and ')}`, ...some, ...open].join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
};
const whatIsHis = (role: Role, within: Rule['within']): string =>
  role !== 'teacher' ? 'in their own subjects' : (OF_TEACHERS[within] ?? 'in their own subjects');
const OF_TEACHERS: Partial<Record<Rule['within'], string>> = {
  sets: 'in their own sets',
  'year group': 'in the year groups in which they have a set',
};
