import { commandAccess, restAccess } from '../../access.ts';
import type { CommandName } from '../../commands.ts';
import { commands } from '../../commands.ts';
import type { Rule } from '../../common/rule.ts';
import { recordId } from '../../contract/answer.ts';
import { commandCalls } from '../../contracts.ts';
import type { AnyResource, ResourceName } from '../../resources.ts';
import { resources } from '../../resources.ts';
import { MOST_RECORDS } from '../../common/list-query.ts';
import type { Kind } from '../../common/resource.ts';
import { ref } from './common.ts';
import type { JsonSchema } from './schema.ts';
import { answerOf, json, jsonSchemaOf, largestOf } from './schema.ts';

type WhoMay = (rule: Rule) => string;

/** `/api/rest/{resource}` and its records. The body of a write has fields of its command. */
export const resourcePaths = (whoMay: WhoMay): object =>
  Object.fromEntries(
    (Object.entries(resources) as [ResourceName, AnyResource][]).flatMap(([name, resource]) => {
      const record = answerOf(resource.record);
      return [
        [`/api/rest/${name}`, { get: list(name, resource, whoMay), ...created(name, resource, record, whoMay) }],
        [
          `/api/rest/${name}/{id}`,
          {
            parameters: [{ name: 'id', in: 'path', required: true, schema: answerOf(recordId) }],
            get: {
              operationId: `${name}-record`,
              ...common(name, whoMay(restAccess[name])),
              parameters: reading,
              responses: { 200: answered('The record', record, ['X-Read-Position', 'X-Channels']), ...problems },
            },
            ...changed(name, resource, record, whoMay),
          },
        ],
      ];
    }),
  );

const list = (name: ResourceName, resource: AnyResource, whoMay: WhoMay): object => ({
  operationId: `${name}-list`,
  ...common(name, whoMay(restAccess[name])),
  parameters: [
    ...reading,
    jsonParameter('filter', `JSON: fields with a value or a list of values${resource.search ? ', and `q`: words to look for' : ''}.`, {
      type: 'object',
      properties: { ...(resource.search ? { q: { type: 'string' } } : {}), ...fieldsOf(resource) },
    }),
    jsonParameter('range', `JSON: the first and the last, at most ${MOST_RECORDS}.`, {
      type: 'array',
      items: { type: 'integer', minimum: 0 },
      minItems: 2,
      maxItems: 2,
    }),
    jsonParameter('sort', `JSON: a field, and ASC or DESC. Left out: ${resource.sort}.`, {
      type: 'array',
      prefixItems: [{ enum: ['id', ...Object.keys(resource.columns)] }, { enum: ['ASC', 'DESC'] }],
    }),
  ],
  responses: {
    200: answered('Some of the records', { type: 'array', items: answerOf(resource.record) }, [
      'Content-Range',
      'X-Read-Position',
      'X-Channels',
    ]),
    ...problems,
  },
});

const created = (name: ResourceName, { create }: AnyResource, record: object, whoMay: WhoMay): object => {
  if (!create) return {};
  const body = { requestBody: takes(create.command, jsonSchemaOf(create.sent ?? commandCalls[create.command].input)) };
  return {
    post: write(`${name}-create`, name, create.command, whoMay, {
      ...body,
      responses: { 201: answered('The record that was made', record, ['X-Position']) },
    }),
  };
};

const changed = (name: ResourceName, { update, remove, edited = [] }: AnyResource, record: object, whoMay: WhoMay): object => ({
  ...(update && {
    put: write(`${name}-update`, name, update.command, whoMay, {
      parameters: [ref('parameters', 'If-Match')],
      requestBody: takes(update.command, only(edited, jsonSchemaOf(commandCalls[update.command].input))),
      responses: { 200: answered('The record as it is now', record, ['X-Position']) },
    }),
  }),
  ...(remove && {
    delete: write(`${name}-delete`, name, remove.command, whoMay, {
      parameters: [ref('parameters', 'If-Match')],
      responses: { 200: answered('The record as it was', record, ['X-Position']) },
    }),
  }),
});

type Operation = { readonly parameters?: readonly object[]; readonly requestBody?: object; readonly responses: object };

/** A write, which is a command. */
const write = (
  operationId: string,
  name: ResourceName,
  command: CommandName,
  whoMay: WhoMay,
  { parameters = [], responses, ...body }: Operation,
): object => ({
  operationId,
  ...common(name, `${command}. ${whoMay(commandAccess[command])}`),
  parameters: [ref('parameters', 'Idempotency-Key'), ref('parameters', 'X-View-As'), ...parameters],
  ...body,
  responses: { ...responses, ...problems },
});

const common = (name: ResourceName, description: string): object => ({ tags: [`rest: ${name}`], description });
const reading = [ref('parameters', 'X-Min-Position'), ref('parameters', 'X-View-As')];
const problems = { default: ref('responses', 'RecordProblem') };

const answered = (description: string, schema: object, headers: readonly Parameters<typeof ref<'headers'>>[1][]): object => ({
  description,
  headers: Object.fromEntries(headers.map((name) => [name, ref('headers', name)] as const)),
  content: json(schema),
});

const jsonParameter = (name: string, description: string, schema: object): object => ({
  name,
  in: 'query',
  description,
  content: { 'application/json': { schema } },
});

const fieldsOf = ({ columns }: AnyResource): Readonly<Record<string, object>> =>
  Object.fromEntries(Object.entries(columns).map(([field, kind]) => [field, schemas[kind]]));

const schemas: Readonly<Record<Kind, object>> = {
  uuid: { type: ['string', 'null'], format: 'uuid' },
  'uuid[]': { type: ['array', 'null'], items: { type: 'string', format: 'uuid' } },
  text: { type: ['string', 'null'] },
  int4: { type: ['integer', 'null'] },
  bool: { type: ['boolean', 'null'] },
  date: { type: ['string', 'null'], format: 'date' },
  timestamptz: { type: ['string', 'null'], format: 'date-time' },
};

const takes = (command: CommandName, schema: JsonSchema): object => ({
  required: true,
  description: largestOf(commandAccess[command].roles, commands[command].largest),
  content: json(lenient(schema)),
});

/** Additional fields are allowed and ignored, because editors send the complete record back. */
const lenient = ({ additionalProperties: _, ...schema }: JsonSchema): JsonSchema => schema;

const only = (fields: readonly string[], { properties = {}, required = [], ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(properties).filter(([field]) => fields.includes(field))),
  required: required.filter((field) => fields.includes(field)),
});
