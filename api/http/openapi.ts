import { z } from 'zod';
import { commandAccess, commandsFromOutside, queryAccess } from '../access.ts';
import { askedOfAccounts } from '../auth/accounts.ts';
import type { Rule } from '../access.ts';
import type { Role } from '../../events/codec/event.ts';
import { SESSION_COOKIE } from '../auth/library.ts';
import { commands } from '../commands/all.ts';
import type { CommandName } from '../commands/all.ts';
import { problemStatus } from '../contract/problem.ts';
import { queries } from '../queries/all.ts';
import type { QueryName } from '../queries/all.ts';

/**
 * Commands and queries for programs (OpenAPI 3.1), made from what validates and authorises them. Requests in full; of the answers what they
 * have in common: their results are described where they are made, in api/contract.
 */
export const openApi = (publicUrl: string): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Marktrail',
    version: '1',
    description: 'Commands say what is to happen, queries ask what is known. Who asks is told by the cookie of a log-in.',
  },
  servers: [{ url: publicUrl }],
  paths: {
    ...Object.fromEntries(commandsFromOutside.map((name) => [`/api/commands/${name}`, { post: commandOperation(name) }])),
    ...Object.fromEntries((Object.keys(queries) as QueryName[]).map((name) => [`/api/queries/${name}`, queryOperations(name)])),
  },
  components: {
    schemas: { Problem: problem, CommandAnswer: commandAnswer },
    responses: { Problem: problemResponse },
    securitySchemes: { session },
  },
  security: [{ session: [] }],
});

const commandOperation = (name: CommandName): object => ({
  operationId: name,
  tags: ['commands'],
  description: whoMay(commandAccess[name]),
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'The same key again answers what it answered the first time, and does nothing twice. Without one, what is sent twice is done twice.',
      schema: { type: 'string', format: 'uuid' },
    },
  ],
  requestBody: bodyOf({ input: inputOf(name) }),
  responses: answers('#/components/schemas/CommandAnswer'),
});

const inputOf = (name: CommandName): z.ZodType => (isAskedOfAccounts(name) ? askedOfAccounts[name] : commands[name].input);
const isAskedOfAccounts = (name: CommandName): name is keyof typeof askedOfAccounts => Object.hasOwn(askedOfAccounts, name);

const queryOperations = (name: QueryName): object => {
  const parameters = [
    header('X-Min-Position', 'The position that a command answered: what is shown stands at least there.'),
    { name: 'asOf', in: 'query', description: 'An earlier moment to look at.', schema: { type: 'string', format: 'date-time' } },
  ];
  const common = { tags: ['queries'], description: whoMay(queryAccess[name]), responses: answers() };
  const asked = inTheAddress(name);
  return {
    ...(asked ? { get: { ...common, operationId: `${name}-by-address`, parameters: [...parameters, ...asked] } } : {}),
    post: { ...common, operationId: name, parameters, requestBody: bodyOf(queries[name]) },
  };
};

/** What a query is asked for, if it can be said in an address: texts only. */
const inTheAddress = (name: QueryName): object[] | undefined => {
  const { properties = {}, required = [] } = jsonSchemaOf(queries[name]);
  const fields = Object.entries(properties);
  if (fields.some(([, schema]) => typeof schema !== 'object' || schema.type !== 'string')) return undefined;
  return fields.map(([field, schema]) => ({ name: field, in: 'query', required: required.includes(field), schema }));
};

const header = (name: string, description: string): object => ({ name, in: 'header', description, schema: { type: 'string' } });

const bodyOf = (asked: { readonly input: z.ZodType }): object => ({
  required: true,
  content: { 'application/json': { schema: jsonSchemaOf(asked) } },
});

const jsonSchemaOf = ({ input }: { readonly input: z.ZodType }): z.core.JSONSchema.BaseSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    // A format says it in a word.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return schema;
};

/** 'For admin and auditor; for leader in his own subjects; for teacher in his own sets.' */
const whoMay = ({ roles, within, ifOpen }: Rule): string => {
  const all = roles.filter((role) => within === 'school' || role === 'admin' || role === 'auditor');
  const some = roles.filter((role) => !all.includes(role)).map((role) => `for ${role} ${whatIsHis(role, within)}`);
  const open = ifOpen === undefined ? [] : [`for ${ifOpen} in his own subjects while the school's structure is open to leaders`];
  const sentence = [`for ${all.join(' and ')}`, ...some, ...open].join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
};
const whatIsHis = (role: Role, within: Rule['within']): string =>
  within === 'sets' && role === 'teacher' ? 'in his own sets' : 'in his own subjects';

const answers = (schema?: string): object => ({
  200: { description: 'Done', content: { 'application/json': { schema: schema === undefined ? { type: 'object' } : { $ref: schema } } } },
  default: { $ref: '#/components/responses/Problem' },
});

const position = { type: ['string', 'null'], description: 'null: nothing was written' };
const commandAnswer = {
  type: 'object',
  required: ['position', 'revision', 'result'],
  properties: { position, revision: position, result: {} },
};

const problem = {
  type: 'object',
  description: 'RFC 9457',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { const: 'about:blank' },
    title: { type: 'string', description: 'What happened, for people' },
    status: { type: 'integer', enum: [...new Set(Object.values(problemStatus))].toSorted((one, other) => one - other) },
    code: { type: 'string', enum: Object.keys(problemStatus), description: 'Stable, for programs' },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: { type: 'object', required: ['path', 'message'], properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};
const problemResponse = {
  description: 'Refused: the code says why',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
const session = { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE };
