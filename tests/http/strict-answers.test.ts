import { describe, expect, test } from 'vitest';
import { Hono } from 'hono';
import { z } from 'zod';
import { described } from '../../api/http/openapi/route-docs.ts';
import { strictAnswers } from '../support/strict-answers.ts';

/** The tests' own server holds every answer to its schema (tests/support/product.ts). */
const http = new Hono();
http.get('/api/told', described({ does: 'Tells.', answers: z.object({ name: z.string() }) }), (c) => c.json({}));
const strict = strictAnswers(http);
const held = (path: string, content: unknown, type = 'application/json') =>
  strict(new Request(`http://marktrail.test${path}`), new Response(JSON.stringify(content), { headers: { 'Content-Type': type } }));

describe('an answer that is not what its schema says fails its request', () => {
  test.each([
    ['a field more', '/api/told', { name: 'Ann', email: 'ann@school.example' }, 'more than its schema says'],
    ['a field less', '/api/told', {}, 'not what its schema says'],
    ['of a query', '/api/queries/mapped', { schemeTopicIds: [], questionIds: [], topics: [] }, 'more than its schema says'],
    ['of a command', '/api/commands/DecideMark', { position: '1', revision: '1', result: { decided: 1 } }, 'not what its schema says'],
    ['of a list of records', '/api/rest/terminalExams', [{ name: 'GCSE' }], 'not what its schema says'],
    ['of an address that says nothing', '/api/silent', {}, 'nothing is said'],
  ])('%s', async (_, path, content, message) => {
    await expect(held(path, content)).rejects.toThrow(message);
  });

  test('a problem with a code that is not listed', async () => {
    const problem = { type: 'about:blank', title: 'No', status: 409, code: 'no' };
    await expect(held('/api/told', problem, 'application/problem+json')).rejects.toThrow('not what its schema says');
  });
});

test('what is as it says passes', async () => {
  const answer = await held('/api/told', { name: 'Ann' });
  expect(await answer.json()).toEqual({ name: 'Ann' });
});
