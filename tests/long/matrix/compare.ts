/**
 * Compares two records of record.ts: prints each case that is answered otherwise, with both bodies, and ends with 1 if there is one. Refusals in
 * another sentence are counted by their sentences, and are no difference.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Case = { readonly name: string; readonly status: number; readonly refusal: string; readonly body: string };
type Difference = readonly [before: Case | undefined, after: Case | undefined];

const linesOf = (directory: string, file: string): string[] => readFileSync(join(directory, file), 'utf8').split('\n').slice(0, -1);
const read = (directory: string): ReadonlyMap<string, Case> => {
  const bodies = new Map(linesOf(directory, 'bodies').map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
  return new Map(
    linesOf(directory, 'answers').map((line) => {
      const [route = '', who = '', variant = '', status = '', refusal = '', hash = ''] = line.split(' | ');
      const name = [route, who, variant].join(' | ');
      return [name, { name, status: Number(status), refusal, body: bodies.get(hash) ?? '' }];
    }),
  );
};

const codeOf = ({ status, refusal }: Case): string => `${status} ${refusal.split(':')[0]}`;
const isSentence = ([before, after]: Difference): boolean =>
  before !== undefined && after !== undefined && before.refusal !== '' && codeOf(before) === codeOf(after);

/** A body whose lists are in one order, and fields too. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(inOrder(one))).toSorted();
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, one]) => [key, inOrder(one)])
    .toSorted();
};
const isOrderOnly = ([before, after]: Difference): boolean =>
  before?.status === after?.status &&
  JSON.stringify(inOrder(JSON.parse(before?.body || 'null'))) === JSON.stringify(inOrder(JSON.parse(after?.body || 'null')));

const told = (sign: string, one: Case | undefined): string =>
  one === undefined ? `${sign} not recorded` : `${sign} ${one.status} ${one.refusal}\n${sign} ${one.body}`;

const [before, after] = process.argv.slice(2).map(read);
if (before === undefined || after === undefined) throw new Error('Usage: compare.ts BEFORE AFTER');
const differences = [...new Set([...before.keys(), ...after.keys()])]
  .map((name): Difference => [before.get(name), after.get(name)])
  .filter(([one, other]) => one?.status !== other?.status || one?.refusal !== other?.refusal || one?.body !== other?.body);
const [sentences, others] = [differences.filter(isSentence), differences.filter((one) => !isSentence(one))];
for (const one of others)
  console.log(`${(one[0] ?? one[1])?.name}${isOrderOnly(one) ? ' (order only)' : ''}\n${told('-', one[0])}\n${told('+', one[1])}\n`);
for (const [words, those] of Map.groupBy(sentences, ([one, other]) => `- ${one?.refusal}\n+ ${other?.refusal}`))
  console.log(`${those.length} refusals in another sentence\n${words}\n`);
console.log(`${before.size} cases before, ${after.size} after: ${others.length} differences, ${sentences.length} other sentences`);
process.exitCode = others.length > 0 ? 1 : 0;
