/** Example values of a schema: always the same ones, and between them every variant, value of an enumeration, and empty place. */
import type { z } from 'zod';
import { markColumns, type MarkColumns } from '../../events/codec/columnar.ts';
import { uuid } from './support.ts';

/** @throws Error when none of the examples satisfies the schema: add one to `byHand` */
export const samples = (schema: z.ZodType): unknown[] => {
  const breadth = { widest: 1 };
  const made = [sample(schema, { round: 0, bare: true, breadth }, '$')];
  for (let round = 0; round < Math.min(breadth.widest, MOST); round++) made.push(sample(schema, { round, bare: false, breadth }, '$'));
  const valid = [
    ...new Map(made.filter((value) => schema.safeParse(value).success).map((value) => [JSON.stringify(value), value])).values(),
  ];
  if (valid.length === 0) throw new Error(`no example fits: ${schema.safeParse(made[0]).error?.message}`);
  return valid;
};

/** Variants and values beyond this many are left out. */
const MOST = 12;

/** `bare`: nothing that may be left out. `widest`: the most variants seen in one place, and so the number of rounds. */
type Round = { readonly round: number; readonly bare: boolean; readonly breadth: { widest: number } };

const someColumns: MarkColumns = {
  columns: [
    { cell: 'mark', testId: uuid('test'), questionId: uuid('question 1'), max: 4 },
    { cell: 'mark', testId: uuid('test'), questionId: uuid('question 2'), max: 6 },
    { cell: 'total', testId: uuid('test'), max: 10 },
    { cell: 'attendance', testId: uuid('test') },
  ],
  students: [uuid('anna'), uuid('ben'), uuid('carl')],
  is: [
    [3, null, 'cleared', 'sat'],
    [null, 6, 0, 'absent'],
    [null, null, null, 'exempt'],
  ],
  was: [[2, null, [5, 7, 'cleared'], null], null, [null, null, null, 'absent']],
};
const fewColumns: MarkColumns = { columns: [{ cell: 'total', testId: uuid('test') }], students: [uuid('anna')], is: [[7]] };

/** Of schemas whose rules an example made by machine would break. */
const byHand = new Map<z.core.$ZodType, (round: Round) => unknown>([[markColumns, ({ bare }) => (bare ? fewColumns : someColumns)]]);

const sample = (schema: z.core.$ZodType, round: Round, path: string): unknown => {
  const own = byHand.get(schema);
  if (own !== undefined) return own(round);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries<z.core.$ZodType>(def.shape)
          .map(([key, field]) => [key, sample(field, round, `${path}.${key}`)])
          .filter(([, value]) => value !== undefined),
      );
    case 'array': {
      const length = Math.max(round.bare ? 0 : 2, limit(schema, 'minimum') ?? 0);
      return Array.from({ length }, (_, index) => sample(def.element, round, `${path}[${index}]`));
    }
    case 'record':
      return round.bare ? {} : { some: sample(def.valueType, round, `${path}.some`) };
    case 'union':
      return sample(pick(def.options, round), round, path);
    case 'optional':
      return round.bare ? undefined : sample(def.innerType, round, path);
    case 'nullable':
      return pick([false, true], round) ? null : sample(def.innerType, round, path);
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return sample(def.innerType, round, path);
    case 'literal':
      return pick(def.values, round);
    case 'enum':
      return pick(Object.values(def.entries), round);
    case 'null':
      return null;
    case 'boolean':
      return pick([true, false], round);
    case 'number':
      return limit(schema, 'minimum') ?? limit(schema, 'maximum') ?? 3;
    case 'string':
      return text(schema, path);
    default:
      throw new Error(`${path}: no example of ${def.type}`);
  }
};

const pick = <Value>(list: readonly Value[], { round, breadth }: Round): Value => {
  breadth.widest = Math.max(breadth.widest, list.length);
  return list[round % list.length]!;
};

const limit = (schema: z.core.$ZodType, name: 'minimum' | 'maximum'): number | undefined => {
  const { bag } = schema._zod;
  const value = bag[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) < 1e9 ? value : undefined;
};

const text = (schema: z.core.$ZodType, path: string): string => {
  const tries = [
    uuid(path),
    '2026-09-01',
    '2026-09-01T08:30:00.000Z',
    'someone@school.example',
    `text of ${path}`,
    'text',
    'A',
    '7',
    '#50900c',
  ];
  // Plain text first where anything goes; otherwise whatever fits.
  const order = [...tries.slice(4), ...tries.slice(0, 4)];
  const fits = order.find((value) => (schema as z.ZodType).safeParse(value).success);
  if (fits === undefined) throw new Error(`${path}: no example of this text`);
  return fits;
};
