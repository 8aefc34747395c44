import type { Layout, Role, Rows } from '../../../../ui/file/layout/target.ts';
import { valueIn } from '../../../../ui/file/layout/target.ts';
import { isNumber } from '../../../../ui/file/layout/cells.ts';
import { isNaming, layoutOf, unexplainedIn, withRole } from '../../../../ui/file/layout/layout.ts';
import { blockIn } from '../clipboard.ts';
import type { Copied, PasteTarget } from './copied.ts';
import { unsaid } from './copied.ts';
import type { Plan } from './plan.ts';
import { planOf } from './plan.ts';
import type { Block } from '../place.ts';

export type Pasted =
  | { readonly kind: 'nothing'; readonly why: string }
  /** `isCertain`: stored without a question. */
  | { readonly kind: 'block'; readonly copied: Copied; readonly plan: Plan; readonly isCertain: boolean };

/** Longer texts, and larger blocks, are none of marks. */
const MOST_TEXT = 1_000_000;
const MOST_ROWS = 1_000;
const MOST_COLUMNS = 100;
/** No mark, and no word in place of one, is longer. */
const LONG = 12;

/**
 * Understands what was copied. A block without any text goes by position from `into` on, as in a spreadsheet, and a single cell fills what is
 * selected; text in front of marks, or behind them, says whose they are, and never do they go by position then. An empty cell says nothing:
 * what is in the table stays.
 */
export const pasted = (text: string, into: Block, target: PasteTarget): Pasted => {
  if (text === '') return nothing('There is no text in what was copied.');
  const rows = text.length > MOST_TEXT ? undefined : trimmed(blockIn(text).map((row) => row.map(cleaned)));
  const width = rows?.[0]?.length ?? 0;
  if (!rows || rows.length > MOST_ROWS || width > MOST_COLUMNS)
    return nothing('That is too large for a block of marks. Nothing was taken.');
  const copied = width === 1 ? column(rows, into, target) : block(rows, into, target);
  const plan = planOf(copied, target);
  const long = rows.flat().filter((cell) => cell.length > LONG && hasLetter(cell)).length;
  const isProse = copied.isColumn && (long * 2 > rows.length || (long > 0 && !rows.flat().some(isNumber)));
  const isOfWords = !copied.isColumn && !rows.flat().some(isNumber) && plan.lines.every(({ match }) => match.kind === 'nobody');
  if (isProse || isOfWords || (plan.lines.length === 0 && plan.outside === 0)) return nothing('There is no mark in what was copied.');
  const isOpen = [copied.assumed, plan.doubts, plan.undecided, plan.unsaid].some((sentences) => sentences.length > 0);
  return { kind: 'block', copied, plan, isCertain: !isOpen && plan.lines.every(({ isSure }) => isSure) };
};

const nothing = (why: string): Pasted => ({ kind: 'nothing', why });

/** Without what a spreadsheet adds: blanks that do not break, and what keeps numbers as text ('00101, ="00101"). */
const cleaned = (text: string): string =>
  text
    .replaceAll(/[\u00A0\u2007\u202F]/gu, ' ')
    .trim()
    .replace(/^'(?=\d)/u, '')
    .replace(/^="(.*)"$/u, '$1');

/** As wide and as high as what stands in it. */
const trimmed = (rows: Rows): Rows => {
  const width = Math.max(0, ...rows.map((row) => row.findLastIndex((cell) => cell !== '') + 1));
  const height = rows.findLastIndex((row) => row.some((cell) => cell !== '')) + 1;
  return rows.slice(0, height).map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''));
};

const hasLetter = (text: string): boolean => /\p{L}/u.test(text);

/** One column. A text above numbers is their heading. */
const column = (cells: Rows, into: Block, target: PasteTarget): Copied => {
  const one = cells.length === 1 ? cells[0]?.[0] : undefined;
  const rows = one === undefined ? cells : filledWith(one, into);
  const [first = '', ...others] = rows.flat();
  const isHeaded = hasLetter(first) && others.length > 0 && others.every((cell) => cell === '' || isNumber(cell));
  const layout = isHeaded ? layoutOf(rows, target.layout) : undefined;
  return byPosition(rows, layout ?? plainLayout(rows), into, target, { isColumn: true, isHeaded });
};

const filledWith = (text: string, { top, left, bottom, right }: Block): Rows =>
  Array.from({ length: bottom - top + 1 }, () => Array.from({ length: right - left + 1 }, () => text));

const plainLayout = (rows: Rows): Layout => ({
  roles: (rows[0] ?? []).map(() => ''),
  header: undefined,
  kinds: rows.map((row) => (row.every((cell) => cell === '') ? 'blank' : 'row')),
});

const block = (rows: Rows, into: Block, target: PasteTarget): Copied => {
  const found = layoutOf(rows, target.layout);
  const layout = isNaming(found) ? found : withIds(rows, withNames(rows, found, target), target);
  const isHeaded = layout.header !== undefined;
  if (!isNaming(layout)) return byPosition(rows, isHeaded ? layout : plainLayout(rows), into, target, { isColumn: false, isHeaded });
  const ordered = inOrder(rows, layout, target);
  const taken = ordered.roles.filter((role) => valueIn(role) !== undefined).length;
  const first = ordered.roles.findIndex((role) => valueIn(role) !== undefined);
  const cursor = target.columns[into.left];
  const isByHeading = isHeaded && ordered === layout;
  const isShifted = !isByHeading && into.left > 0 && taken < target.columns.length && cursor !== undefined;
  const assumed = [
    ...(isHeaded && !isByHeading ? ['The headings are not those of this paper: the columns are taken in their order.'] : []),
    ...(!isHeaded && taken < target.columns.length && ordered.roles[first - 1] === ''
      ? [`It is not certain which questions these are: the first column of marks is taken for ${target.columns[0]?.name}.`]
      : []),
    ...(isShifted ? [`The marks start at ${target.columns[0]?.name}, not at ${cursor.name}, where the cursor is.`] : []),
  ];
  return { rows, layout: withinPaper(ordered, target), ...unsaid, assumed, isColumn: false };
};

/** A column of text alone is of names, whatever they are, beside one with numbers. */
const withNames = (rows: Rows, layout: Layout, { layout: target }: PasteTarget): Layout => {
  const cells = (at: number) => rows.flatMap((row, line) => (layout.kinds[line] === 'row' && row[at] ? [row[at]] : []));
  const names = layout.roles.findIndex((role, at) => role === '' && cells(at).some(hasLetter) && !cells(at).some(isNumber));
  const isBesideMarks = layout.roles.some((_, at) => cells(at).some(isNumber));
  return names < 0 || !isBesideMarks ? layout : withRole(rows, layout, names, 'name', target);
};

/** Numbers that cannot be marks are of people, though of nobody here: 00101, or three digits where no mark has as many. */
const withIds = (rows: Rows, layout: Layout, { columns, layout: target }: PasteTarget): Layout => {
  const highest = Math.max(...columns.map(({ max }) => max));
  const isId = (cell: string): boolean => /^(?:0\d+|\d{3,})$/u.test(cell) && (cell.startsWith('0') || Number(cell) > highest);
  const ids = layout.roles.findIndex((_, at) => {
    const cells = rows.flatMap((row, line) => (layout.kinds[line] === 'row' && row[at] ? [row[at]] : []));
    return cells.length > 0 && cells.every(isId);
  });
  return isNaming(layout) || ids < 0 ? layout : withRole(rows, layout, ids, 'id', target);
};

/** Where no column is any of the paper's, those from the first with numbers to the last are its questions in their order. */
const inOrder = (rows: Rows, layout: Layout, target: PasteTarget): Layout => {
  if (layout.roles.some((role) => valueIn(role) !== undefined)) return layout;
  const found = unexplainedIn(rows, layout, target.layout);
  const [first = 0, last = -1] = [found[0], found.at(-1)];
  const isHeaded = (at: number): boolean => layout.header === undefined || rows[layout.header]?.[at] !== '';
  const columns = layout.roles.flatMap((role, at) => (role === '' && at >= first && at <= last && isHeaded(at) ? [at] : []));
  const named = columns.slice(0, target.columns.length);
  return named.reduce((next, at, index) => withRole(rows, next, at, `v${index}`, target.layout), layout);
};

/** Columns beyond the paper are left out. */
const withinPaper = (layout: Layout, { columns }: PasteTarget): Layout => ({
  ...layout,
  roles: layout.roles.map((role): Role => ((valueIn(role) ?? 0) < columns.length ? role : '')),
});

type How = Pick<Copied, 'isColumn'> & { readonly isHeaded: boolean };

/** From a place on, as in a spreadsheet. Columns that have a heading of the paper go by it. */
const byPosition = (rows: Rows, layout: Layout, { top, left }: Block, target: PasteTarget, { isColumn, isHeaded }: How): Copied => {
  const isByHeading = layout.roles.some((role) => valueIn(role) !== undefined);
  const roles = isByHeading ? layout.roles : layout.roles.map((_, at): Role => `v${left + at}`);
  const first = (layout.header ?? (isHeaded ? 0 : -1)) + 1;
  const kinds = layout.kinds.map((kind, at) => (at < first && kind === 'row' ? 'heading' : kind));
  const whose = rows.flatMap((_, at) => {
    const student = at < first ? undefined : target.students[top + at - first];
    return student ? [[at, student.studentId] as const] : [];
  });
  return {
    rows,
    layout: withinPaper({ roles, header: first > 0 ? first - 1 : undefined, kinds }, target),
    ...unsaid,
    whose: new Map(whose),
    assumed: isHeaded ? ['There are headings and no names: the rows are taken in the order of the class, from the cursor on.'] : [],
    isColumn,
  };
};
