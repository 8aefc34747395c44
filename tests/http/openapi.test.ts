import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { commandAccess, commandsFromOutside, queryAccess } from '../../api/access.ts';
import type { Rule } from '../../api/common/rule.ts';
import { queries } from '../../api/queries.ts';
import type { QueryName } from '../../api/queries.ts';
import { resources } from '../../api/resources.ts';
import type { Resource } from '../../api/common/resource.ts';
import { callRows } from '../calls/cases.ts';
import { Client } from '../support/client.ts';
import type { Spare } from '../support/samples.ts';
import { commandSamples, querySamples, spareParts } from '../support/samples.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const { school, admin, student } = await schoolOfFile('admin', 'student');
let document: Described;
beforeAll(async () => {
  await admin.done('ShowAssessment', { testId: school.ids.mock, visible: true });
  const answer = await new Client(school).send('/api/openapi.json');
  expect(answer.status).toBe(200);
  document = (await answer.json()) as Described;
});

type Schema = Record<string, unknown>;
type Content = { readonly content?: Record<string, { readonly schema: Schema }> };
type Operation = {
  readonly description?: string;
  readonly parameters?: readonly ({ readonly name: string; readonly in: string } | { readonly $ref: string })[];
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
  readonly security?: readonly unknown[];
};
type Described = {
  readonly openapi: string;
  readonly paths: Record<string, Partial<Record<'get' | 'post' | 'put' | 'delete', Operation>>>;
  readonly components: Record<string, Record<string, unknown>>;
};

const schemaOf = (content: Content | undefined): Schema => content?.content?.['application/json']?.schema ?? {};
/** Names of parameters and headers that an operation takes. */
const takes = (operation: Operation | undefined): string[] =>
  (operation?.parameters ?? []).map((one) => ('$ref' in one ? (one.$ref.split('/').at(-1) ?? '') : one.name));

/** Nothing may be there that is not told. */
const strict = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return parts['type'] === 'object' && parts['properties'] !== undefined ? { additionalProperties: false, ...parts } : parts;
};
const fits = (schema: unknown, answer: unknown, what: string): void => {
  const { error } = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(answer);
  expect(error?.issues, what).toBeUndefined();
};

test('every address that is answered is described, with how it refuses', () => {
  const { openapi, paths } = document;
  expect(openapi).toBe('3.1.0');
  const all = school.routes.flatMap(({ method, path }) => {
    if (method === 'ALL' || !path.startsWith('/api/')) return [];
    return namesOf(method, path).map((name) => `${method} ${path.replace(/:(name|resource)/, name).replace(':id', '{id}')}`);
  });
  const told = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).flatMap((method) => (method === 'parameters' ? [] : [`${method.toUpperCase()} ${path}`])),
  );
  expect(told.toSorted()).toEqual([...new Set(all)].toSorted());
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (method === 'parameters') continue;
      expect(operation.responses['default'], path).toMatchObject({
        $ref: expect.stringMatching(/^#\/components\/responses\/(Record)?Problem$/),
      });
    }
  }
});

/** What a pattern stands for: a question can be asked in an address if it is made of texts, a resource takes the writes that it has. */
const namesOf = (method: string, path: string): readonly string[] => {
  if (path.startsWith('/api/commands/')) return commandsFromOutside;
  if (path.startsWith('/api/queries/'))
    return Object.keys(queries).filter(
      (name) =>
        method === 'POST' ||
        !(name.startsWith('preview-') || ['upload-classes', 'match-students', 'ranking-preview', 'export-student-list'].includes(name)),
    );
  if (!path.startsWith('/api/rest/')) return [''];
  return Object.entries(resources).flatMap(([name, { create, update, remove }]: [string, Resource]) =>
    ({ GET: true, POST: create, PUT: update, DELETE: remove })[method] ? [name] : [],
  );
};

test('what it says of a request is what the request is held to', () => {
  expect(schemaOf(document.paths['/api/commands/AddSubject']?.post?.requestBody)).toMatchObject({
    properties: { name: { type: 'string', minLength: 1 } },
    required: ['name'],
    additionalProperties: false,
  });
  expect(schemaOf(document.paths['/api/rest/sets/{id}']?.put?.requestBody)).toMatchObject({
    properties: { name: {}, schemeId: {}, testIds: {}, thresholds: {} },
  });
});

test('what our own code alone may ask for is not offered, and a password is asked for where one is needed', () => {
  expect(Object.keys(document.paths)).not.toContain('/api/commands/OpenSchool');
  expect(Object.keys(document.paths)).not.toContain('/api/commands/JoinByCode');
  const required = (name: string) => schemaOf(document.paths[`/api/commands/${name}`]?.post?.requestBody)['required'];
  expect(required('OpenStaffAccount')).toContain('password');
  expect(required('IssueJoinCode')).toEqual(['subjectId']);
});

test('how far a right goes is told: a teacher sees the markbook of the year groups taught, and the history of marks in the own sets', () => {
  const { paths } = document;
  expect(paths['/api/queries/markbook']?.post?.description).toContain('for teacher in the year groups in which they have a set');
  expect(paths['/api/queries/cell']?.post?.description).toContain('for teacher in their own sets');
});

test('the headers that are read are told where they are read', () => {
  const { paths } = document;
  expect(takes(paths['/api/commands/EnterMarks']?.post)).toEqual(['Idempotency-Key', 'X-View-As']);
  expect(takes(paths['/api/queries/uploads']?.get)).toEqual([
    'X-Min-Position',
    'X-View-As',
    'asOf',
    'Prefer',
    'subjectId',
    'setId',
    'before',
  ]);
  expect(takes(paths['/api/rest/subjects']?.get)).toEqual(['X-Min-Position', 'X-View-As', 'filter', 'range', 'sort']);
  expect(takes(paths['/api/rest/subjects']?.post)).toEqual(['Idempotency-Key', 'X-View-As']);
  expect(takes(paths['/api/rest/subjects/{id}']?.put)).toEqual(['Idempotency-Key', 'X-View-As', 'If-Match']);
  expect(takes(paths['/api/live']?.get)).toEqual(['X-View-As']);
  expect(paths['/api/door/password/forgotten']?.post?.security).toEqual([]);
  expect(paths['/api/status']?.get?.security).toBeUndefined();
});

test('it refers to nothing that is not in it', () => {
  for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = path.split('/').reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
    expect(found, path).toBeDefined();
  }
});

/** What students ask about themselves. */
const isOwn = ({ roles, within }: Rule): boolean => within === 'self' || !roles.includes('admin');

describe('what is answered is what it says', () => {
  let spare: Spare;
  beforeAll(async () => {
    spare = await spareParts(school);
  });

  test('to every query', async () => {
    for (const [name, body] of Object.entries(querySamples(school, spare)) as [QueryName, object][]) {
      const operation = document.paths[`/api/queries/${name}`]?.post;
      fits(strict(schemaOf(operation?.responses['200'])), await (isOwn(queryAccess[name]) ? student : admin).ask(name, body), name);
    }
  });

  test('to every command', async () => {
    const samples = commandSamples(school, spare);
    for (const name of commandsFromOutside) {
      const [, own] = schemaOf(document.paths[`/api/commands/${name}`]?.post?.responses['200'])['allOf'] as [Schema, Schema];
      fits(
        strict((own['properties'] as Schema)['result']),
        await (isOwn(commandAccess[name]) ? student : admin).done(name, samples[name], randomUUID()),
        name,
      );
    }
  });

  test('by every list and every address that anybody may look at', async () => {
    const paths = Object.entries(document.paths).flatMap(([path, { get }]) =>
      get &&
      !path.includes('{') &&
      !path.startsWith('/api/queries/') &&
      !path.startsWith('/api/door/social') &&
      // tests/calls asks these with their parameters.
      !callRows.has(`GET ${path}`) &&
      get.responses['200']?.content?.['application/json']
        ? [[path, schemaOf(get.responses['200'])] as const]
        : [],
    );
    expect(paths.length).toBeGreaterThan(15);
    const ASKED: Readonly<Record<string, string>> = {
      '/api/door/join-code': `?subjectId=${school.ids.maths}`,
      '/api/door/join/waiting': `?subjectId=${school.ids.maths}`,
      '/api/school-years': `?subjectId=${school.ids.maths}`,
      '/api/door/sessions': `?accountId=${school.accounts.leader}`,
    };
    for (const [path, schema] of paths) {
      const answer = await admin.send(`${path}${ASKED[path] ?? ''}`);
      expect([path, answer.status]).toEqual([path, 200]);
      fits(path.startsWith('/api/rest/') ? schema : strict(schema), await answer.json(), path);
    }
  });
});
