import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answersFile } from '../../api/http/openapi/answers.ts';
import { schemasOf } from '../support/type-schema.ts';

test('what is said of answers is what their types say (WRITE_ANSWERS=1 writes it)', () => {
  const schemas = schemasOf('api/http/openapi/answers.ts', 'Answers');
  if (process.env['WRITE_ANSWERS'] === '1') writeFileSync(answersFile, `${JSON.stringify(schemas, undefined, 1)}\n`);
  expect(withoutWords(JSON.parse(readFileSync(answersFile, 'utf8')))).toEqual(withoutWords(schemas));
});

/** A better word for a field is no other answer: it comes along when the file is written the next time. */
const withoutWords = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(parts.map(([key, value]) => [key, withoutWords(value)]));
};
