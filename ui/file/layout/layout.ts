/**
 * What the rows and columns of a table are that people bring, pasted or in a file: who, what, and what is neither (titles, blank rows, totals,
 * per cents, averages). It is guessed from headings and from what stands beneath them; whoever brings the table can correct it.
 */
import type { Named } from '#api/students/identity.formula';
import { columnIn, hasLetter, hasWord, isNumber, most, numberIn } from './cells.ts';
import {
  HEADINGS,
  headerOf,
  isOfQuestions,
  maxInHeading,
  NEITHER,
  once,
  plain,
  questionIn,
  roleOf,
  withHeaded,
  withPapersOrder,
} from './headings.ts';
import type { Layout, Role, RowKind, Rows, Target } from './target.ts';
import { valueIn } from './target.ts';

/** Rows that are looked at to guess what columns are. */
const LOOKED_AT = 200;

export const layoutOf = (rows: Rows, target: Target): Layout => {
  const header = headerOf(rows, target);
  const named = header === undefined ? [] : (rows[header] ?? []).map((heading) => roleOf(heading, target));
  const width = Math.max(0, ...rows.map((row) => row.length));
  const under = rows.slice(header === undefined ? 0 : header + 1).slice(0, LOOKED_AT);
  // A title says nothing of the columns.
  const below = under.filter((row) => width === 1 || row.filter((cell) => cell !== '').length > 1);
  const headings = header === undefined ? [] : (rows[header] ?? []);
  const roles =
    header === undefined
      ? guessed(below, width, target)
      : withHeaded(headings, withPapersOrder(headings, withWho(once(headings, padded(named, width)), below, target), target), target);
  return withKinds(rows, { roles, header }, target);
};

/** With another role for a column. What only one column can be is taken from the one that was it. */
export const withRole = (rows: Rows, { roles, header }: Layout, column: number, role: Role, target: Target): Layout =>
  withKinds(rows, { roles: roles.map((one, at) => (at === column ? role : one === role ? '' : one)), header }, target);

/** With roles that were chosen for the same headings before. */
export const withRoles = (rows: Rows, { header }: Layout, roles: readonly Role[], target: Target): Layout =>
  withKinds(rows, { roles, header }, target);

/** The maxima in a row of them, or in the headings, by column of the target. */
export const maximaIn = (rows: Rows, { roles, header, kinds }: Layout): ReadonlyMap<number, number> => {
  const row = rows[kinds.indexOf('maximum')] ?? [];
  return new Map(
    roles.flatMap((role, column) => {
      const at = valueIn(role);
      const max =
        at === undefined
          ? undefined
          : (numberIn(row[column] ?? '') ?? maxInHeading(header === undefined ? '' : (rows[header]?.[column] ?? '')));
      return at === undefined || max === undefined ? [] : [[at, max] as const];
    }),
  );
};

/** Who a row is of. */
export const namedIn = (row: readonly string[], roles: readonly Role[]): Named => {
  const at = (role: Role): string => row[roles.indexOf(role)] ?? '';
  const parts = [at('surname'), at('first')].filter((part) => part !== '');
  // In one column the name stands as it is; in two, the surname is first, as in all our lists.
  return { id: at('id'), name: at('name') || at('first-last') || parts.join(', ') };
};

/** What a row says, by column of the target. */
export const valuesIn = (row: readonly string[], roles: readonly Role[], count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => row[roles.indexOf(`v${at}`)] ?? '');

/** Whether a column says whose the rows are. */
export const isNaming = ({ roles }: Layout): boolean => roles.some((role) => role !== '' && valueIn(role) === undefined);

/**
 * Columns with numbers that are taken for nothing, though neither their heading nor what stands there says that they are sums, per cents or
 * counts: perhaps they were meant.
 */
export const unexplainedIn = (rows: Rows, { roles, header, kinds }: Layout, target: Target): readonly number[] => {
  const headings = header === undefined ? [] : (rows[header] ?? []);
  const lines = rows.filter((_, at) => kinds[at] === 'row');
  const taken = roles.flatMap((role, column) => (valueIn(role) === undefined ? [] : [column]));
  const isExplained = (column: number): boolean => {
    const heading = headings[column] ?? '';
    if (NEITHER.test(plain(heading)) || Object.values(HEADINGS).some((headings) => headings.includes(plain(heading)))) return true;
    if (heading !== '') return taken.length > 0 && !isOfQuestions(target.values) && questionIn(heading) !== undefined;
    const isMade = most(columnIn(lines, column), (cell) => cell.includes('%')) || isSumOf(lines, column, taken);
    // They count what stands behind them.
    return isMade || (isRunning(lines, column) && roles.slice(column).some((role) => role !== ''));
  };
  return roles.flatMap((role, column) => (role === '' && columnIn(lines, column).some(isNumber) && !isExplained(column) ? [column] : []));
};

/* Columns by what stands in them */

/** Without headings: IDs and names by whom they are of, and what follows them, or stands before them, is values in their order. */
const guessed = (rows: Rows, width: number, target: Target): readonly Role[] => {
  const roles = withWho(padded([], width), rows, target);
  const who = roles.flatMap((role, column) => (role === '' ? [] : [column]));
  if (who.length === 0) return roles;
  const [first, last] = [Math.min(...who), Math.max(...who)];
  const after = Array.from({ length: width - last - 1 }, (_, at) => last + 1 + at);
  const before = Array.from({ length: first }, (_, at) => at);
  const hasNumbers = (column: number): boolean => columnIn(rows, column).some(isNumber);
  const side = after.some(hasNumbers) || !before.some(hasNumbers) ? after : before;
  const isAlone = side === before && side.length === 1;
  const isCount = (column: number): boolean => column === 0 && (isAlone || side.length > target.values.length) && isRunning(rows, column);
  const values = valueColumns(
    rows,
    side.filter((column) => !isCount(column)),
    target.values.length,
  );
  return roles.map((role, column) => (values.includes(column) ? (`v${values.indexOf(column)}` as const) : role));
};

/** The columns of StudentIDs and names that no heading has named. */
const withWho = (roles: readonly Role[], rows: Rows, { knows, values, roles: canBe }: Target): readonly Role[] => {
  const next = [...roles];
  const has = (role: Role): boolean => next.includes(role);
  const columns = roles.map((_, column) => column).filter((column) => roles[column] === '');
  const holdsSomebody = (column: number): boolean => knows !== undefined && columnIn(rows, column).some(knows);
  if (!has('name') && !has('first-last') && !has('surname') && !has('first')) {
    const words = columns.filter((column) => most(columnIn(rows, column), hasWord));
    const named = words.find(holdsSomebody);
    const [left, right] = words;
    if (named !== undefined) next[named] = 'name';
    else if (left !== undefined && right === left + 1 && knows && rows.some((row) => knows(`${row[left]}, ${row[right]}`))) {
      next[left] = 'surname';
      next[right] = 'first';
    } else if (left !== undefined && !roles.some((role) => role === 'id')) next[left] = 'name';
  }
  const nameAt = Math.max(next.indexOf('name'), next.indexOf('surname'), next.indexOf('first'));
  if (!has('id')) {
    // A column of numbers may be IDs if names stand beside it, or if it cannot be marks: 00101, above all maxima, or more columns than the target has.
    const highest = Math.max(...values.map(({ max = Infinity }) => max));
    const ids = columns.filter((column) => next[column] === '' && holdsSomebody(column) && !isRunning(rows, column));
    const isBesideName = (column: number): boolean => nameAt >= 0 && column < nameAt;
    const first = columns.find((column) => !isRunning(rows, column));
    const cannotBeMarks = (column: number): boolean =>
      nameAt < 0 &&
      column === first &&
      (columnIn(rows, column).some((cell) => !isNumber(cell) || /^0\d/.test(cell)) ||
        columnIn(rows, column).every((cell) => Number(cell) > highest) ||
        roles.length > values.length);
    const id = ids.find((column) => isBesideName(column) || cannotBeMarks(column));
    if (id !== undefined) next[id] = 'id';
  }
  const name = next.indexOf('name');
  // Of a list that is stored as it stands, the order of names matters.
  const isFirstLast =
    name >= 0 && canBe.includes('first-last') && most(columnIn(rows, name), (cell) => /\S\s+\S/.test(cell) && !cell.includes(','));
  if (isFirstLast) next[name] = 'first-last';
  return next;
};

/** 1, 2, 3, ...: rows that were counted. */
const isRunning = (rows: Rows, column: number): boolean => {
  const cells = columnIn(rows, column).map((cell) => cell.replace(/[.)]$/, ''));
  return cells.length > 0 && cells.every((cell, at) => isNumber(cell) && Number(cell) === Number(cells[0]) + at) && Number(cells[0]) <= 1;
};

/**
 * Without per cents and texts of many words. An empty column, or one of words alone, may be values too (nobody has tried that question, or
 * all were absent), unless that makes too many of them.
 */
const valueColumns = (rows: Rows, side: readonly number[], count: number): readonly number[] => {
  const isText = (cell: string): boolean => cell.includes('%') || (cell.length > LONG && hasLetter(cell));
  const possible = side.filter((column) => !most(columnIn(rows, column), isText));
  const hasNumbers = (column: number): boolean => columnIn(rows, column).some(isNumber);
  if (possible.length <= count) return possible;
  const columns = withoutSums(rows, possible.slice(0, possible.findLastIndex(hasNumbers) + 1), count);
  const before = Math.max(0, Math.min(columns.length - count, columns.findIndex(hasNumbers)));
  return columns.slice(before);
};
/** No mark, and no word in place of one, is longer. */
const LONG = 12;

/** Without the sums at the end of columns that are too many; for a total, the sum alone. */
const withoutSums = (rows: Rows, columns: readonly number[], count: number): readonly number[] => {
  const last = columns.at(-1);
  if (last === undefined || columns.length <= count) return columns;
  const others = columns.slice(0, -1);
  if (!isSumOf(rows, last, others)) return columns;
  return count === 1 ? [last] : withoutSums(rows, others, count);
};

/** Whether most of what stands in a column is the sum of some others. */
export const isSumOf = (rows: Rows, column: number, others: readonly number[]): boolean => {
  const filled = rows.filter((row) => (row[column] ?? '') !== '');
  const isSum = (row: readonly string[]): boolean =>
    Number(row[column]) === others.reduce((sum, at) => sum + (numberIn(row[at] ?? '') ?? 0), 0);
  return others.length > 1 && filled.some((row) => Number(row[column]) > 0) && filled.filter(isSum).length * 2 > filled.length;
};

const padded = (roles: readonly Role[], width: number): readonly Role[] =>
  Array.from({ length: width }, (_, column) => roles[column] ?? '');

/* Rows */

const withKinds = (rows: Rows, { roles, header }: Omit<Layout, 'kinds'>, target: Target): Layout => {
  const who = roles.flatMap((role, column) => (role !== '' && valueIn(role) === undefined ? [column] : []));
  const values = roles.flatMap((role, column) => (valueIn(role) === undefined ? [] : [column]));
  const holdsValue = (row: readonly string[]): boolean => values.some((column) => (row[column] ?? '') !== '');
  const kindOf = (row: readonly string[], at: number): RowKind => {
    if (row.every((cell) => cell === '')) return 'blank';
    if (header !== undefined && at < header) return 'title';
    if (at === header) return 'heading';
    const names = who.map((column) => row[column] ?? '').filter((cell) => cell !== '');
    const label = names[0] ?? row.find((cell) => cell !== '') ?? '';
    const isSomebody = names.some((name) => target.knows?.(name));
    if (!isSomebody && MAXIMUM.test(label)) return 'maximum';
    if (!isSomebody && SUMMARY.test(label)) return 'summary';
    const isFirstBelow = header !== undefined && at === header + 1;
    if (who.length > 0 && names.length === 0 && isFirstBelow && values.length > 0 && values.every((column) => isNumber(row[column] ?? '')))
      return 'maximum';
    // Of nobody, and without a number: a line of the system's own, such as 'Manual Posting'.
    if (who.length > 0 && names.length === 0 && !values.some((column) => isNumber(row[column] ?? ''))) return 'title';
    // One text in a row of its own, where others have several: a title, or a footer.
    if (!isSomebody && row.filter((cell) => cell !== '').length === 1 && roles.length > 1 && !holdsValue(row) && isFooter(label))
      return 'title';
    return 'row';
  };
  return { roles, header, kinds: rows.map(kindOf) };
};

const MAXIMUM =
  /^\W*(?:out of|max(?:imum)?(?: marks?| score)?|points(?: possible)?|possible(?: points)?|marks? available|available(?: marks)?|full marks|total marks|max\.?)\W*$/i;
const SUMMARY =
  /^\W*(?:(?:class|set|group|overall|grand|year)\s+)?(?:total|totals|sum|average|averages|mean|median|mode|sd|st\.? ?dev.*|standard deviation|minimum|min|highest|lowest|count|date|due(?: date)?|%|per ?cent(?:age)?|facility|range)(?:\s+(?:mark|marks|score|scores|%))?\W*$/i;
/** Longer than a name, with a digit in it, or a sentence. */
const isFooter = (text: string): boolean =>
  /\d/.test(text) ||
  text.split(/\s+/).length > 4 ||
  /[:©]/.test(text) ||
  /^(?:created|printed|generated|exported|page|source|end of)\b/i.test(text);
