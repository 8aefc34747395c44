import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answersFile } from '../../api/http/answers.ts';
import { schemasOf } from '../support/type-schema.ts';

test('what is said of answers is what their types say (WRITE_ANSWERS=1 writes it)', () => {
  const schemas = schemasOf('api/http/answers.ts', 'Answers');
  if (process.env['WRITE_ANSWERS'] === '1') writeFileSync(answersFile, `${JSON.stringify(schemas, undefined, 1)}\n`);
  expect(JSON.parse(readFileSync(answersFile, 'utf8'))).toEqual(schemas);
});
