import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { event, type EventTypes, isForgotten, sealed, upcaster } from '../../events/codec/event.ts';
import { eventTypes } from '../../events/registry.ts';
import { goldenProblems, writeGolden } from './golden.ts';

/** One file per type and version. Never edit or delete one: logs hold such events. */
const folder = new URL('../data/events/', import.meta.url);

/**
 * After adding a type or a version, write its file and commit it:
 *
 *     WRITE_GOLDEN=1 npm test -- tests/codec/golden.test.ts
 *
 * Look at the examples in it: they are made from the schema; `sample.ts` takes better ones by hand. An existing file stays as it is.
 */
test('every version of every event that a log may hold reads as today’s', async () => {
  if (process.env['WRITE_GOLDEN'] === '1') await writeGolden(eventTypes, folder);
  expect(await goldenProblems(eventTypes, folder), 'see how to write golden files in tests/codec/golden.test.ts').toEqual([]);
});

describe('golden files', () => {
  const id = z.uuid().lowercase();
  const first = z.strictObject({ studentId: id, person: sealed('studentId', z.strictObject({ name: z.string() })) });
  const second = z.strictObject({
    studentId: id,
    person: sealed('studentId', z.strictObject({ name: z.string() })),
    why: z.enum(['new', 'unknown']),
  });
  const grown = event(2, second, { 1: upcaster(first, second, (data) => ({ ...data, why: 'unknown' })) });

  let own: URL;
  beforeEach(async () => {
    own = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'marktrail-golden-'))}/`);
  });
  afterEach(async () => {
    await rm(own, { recursive: true });
  });
  const files = async (): Promise<string[]> =>
    await Promise.all((await readdir(own)).sort().map(async (file) => `${file} ${await readFile(new URL(file, own), 'utf8')}`));

  test('a type without a file is found, and its file written', async () => {
    const types = { Met: event(1, first) };
    expect(await goldenProblems(types, own)).toEqual(['Met.v1.json is missing']);
    expect(await writeGolden(types, own)).toEqual(['Met.v1.json']);
    expect(await goldenProblems(types, own)).toEqual([]);
  });

  test('a file is never written again', async () => {
    await writeGolden({ Met: event(1, first) }, own);
    const before = await files();
    expect(await writeGolden({ Met: event(1, second) }, own)).toEqual([]);
    expect(await files()).toEqual(before);
  });

  test('the old version reads through its upcaster, and the new one wants its file', async () => {
    await writeGolden({ Met: event(1, first) }, own);
    expect(await goldenProblems({ Met: grown }, own)).toEqual(['Met.v2.json is missing']);
    expect(await writeGolden({ Met: grown }, own)).toEqual(['Met.v2.json']);
    expect(await goldenProblems({ Met: grown }, own)).toEqual([]);
  });

  test.each<[string, EventTypes, RegExp]>([
    ['a field that changes its rule', { Met: event(1, first.extend({ studentId: z.string() })) }, /schema has changed/],
    [
      'a part that is no longer sealed',
      { Met: event(1, first.extend({ person: z.strictObject({ name: z.string() }) })) },
      /schema has changed/,
    ],
    ['a type that vanishes', {}, /the type is gone/],
    [
      'an upcaster that leads elsewhere',
      { Met: event(2, second, { 1: upcaster(first, second, (data) => ({ ...data, why: 'nonsense' as 'new' })) }) },
      /what today's schema refuses/,
    ],
    [
      'an upcaster that loses who was forgotten',
      {
        Met: event(2, second, {
          1: upcaster(first, second, (data) => ({
            ...data,
            person: isForgotten(data.person) ? { name: '?' } : data.person,
            why: 'new' as const,
          })),
        }),
      },
      /lose what is Forgotten/,
    ],
  ])('%s is noticed', async (_, types, problem) => {
    await writeGolden({ Met: event(1, first) }, own);
    expect((await goldenProblems(types, own)).join('\n')).toMatch(problem);
  });
});
