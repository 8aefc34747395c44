import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsFromOutside } from '../../api/access.ts';
import { queries } from '../../api/queries/all.ts';
import { Client } from '../support/client.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { openProduct, type Product } from '../support/product.ts';

let database: TestDatabase;
let product: Product;

beforeAll(async () => {
  database = await testDatabase();
  product = await openProduct(database.url);
});
afterAll(async () => {
  await product.close();
  await database.drop();
});

type Operation = { requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }; responses: Record<string, unknown> };
type Described = {
  openapi: string;
  paths: Record<string, Record<'get' | 'post', Operation | undefined>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, unknown> };
};

const described = async (): Promise<Described> => {
  const answer = await new Client(product).send('/api/openapi.json');
  expect(answer.status).toBe(200);
  return (await answer.json()) as Described;
};

test('every command and every query is described, with what it takes and how it refuses', async () => {
  const { openapi, paths } = await described();
  expect(openapi).toBe('3.1.0');
  const all = [
    ...commandsFromOutside.map((name) => `/api/commands/${name}`),
    ...Object.keys(queries).map((name) => `/api/queries/${name}`),
  ];
  expect(Object.keys(paths).toSorted()).toEqual(all.toSorted());
  for (const path of all) {
    const post = paths[path]?.post;
    expect(post?.requestBody?.content['application/json']?.schema, path).toMatchObject({ type: 'object' });
    expect(post?.responses, path).toMatchObject({ 200: {}, default: { $ref: '#/components/responses/Problem' } });
  }
});

test('what it says of a request is what the request is held to', async () => {
  const { paths } = await described();
  expect(paths['/api/commands/AddSubject']?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
    properties: { name: { type: 'string', minLength: 1 } },
    required: ['name'],
    additionalProperties: false,
  });
});

test('what our own code alone may ask for is not offered, and a password is asked for where one is needed', async () => {
  const { paths } = await described();
  expect(Object.keys(paths)).not.toContain('/api/commands/OpenSchool');
  expect(Object.keys(paths)).not.toContain('/api/commands/JoinByCode');
  const required = (name: string) => paths[`/api/commands/${name}`]?.post?.requestBody?.content['application/json']?.schema['required'];
  expect(required('OpenStaffAccount')).toContain('password');
  expect(required('IssueJoinCode')).toEqual(['subjectId']);
});

test('it refers to nothing that is not in it', async () => {
  const document = await described();
  for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = path.split('/').reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
    expect(found, path).toBeDefined();
  }
});
