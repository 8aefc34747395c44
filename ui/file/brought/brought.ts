/** Reads the rows of an uploaded file by the template, or by what its author has answered about it. Pure: nothing is stored. */
import type { Away } from '#api/contract/attendance';
import { isAway } from '#api/contract/attendance';
import { markOf } from '#api/contract/csv/checks';
import type { CsvRefusal, FileProblem } from '#api/contract/csv/file';
import { fileMessages, refused } from '#api/contract/csv/file';
import type { CsvLine } from '#api/contract/csv/table';
import { below, exactly } from '#api/contract/csv/table';
import type { AwayCells, Template } from '#api/contract/csv/template';
import { dateText, writtenDate } from '#api/contract/dates';
import type { Layout, Role, Target } from '../layout/target.ts';
import { layoutOf, namedIn, valuesIn } from '../layout/layout.ts';
import type { Answers, Word } from './answers.ts';
import { lineAsId, wordKey } from './answers.ts';

/** A kind of file, and how files of other systems are read as one. */
export type Kind<Parsed> = {
  readonly template: Template<Parsed>;
  readonly target: Target;
  /** The columns of the template that are not values, in its order. */
  readonly people: readonly ('id' | 'name' | 'set' | 'birth')[];
  /** Words in place of values may mean that somebody was away: in one test (a column), or in the only test of the file (a row). */
  readonly awayBy?: 'column' | 'row';
};

/** A row that is refused, and why. */
export type RefusedRow = { readonly line: number; readonly who: string; readonly why: string };

export type Brought<Parsed> = {
  /** By the template as it stands, in the specification's words; undefined: nothing is refused, or everything is answered. */
  readonly refusal?: CsvRefusal;
  /** Which column is which, where the header is not the template's. */
  readonly layout?: Layout;
  /** What that lacks: 'StudentID or a name', 'Set'. */
  readonly lacks: readonly string[];
  readonly words: readonly Word[];
  /** Rows that are refused, or left out where their author has said so. */
  readonly rows: readonly RefusedRow[];
  /** What is uploaded; undefined: something is refused or not answered. */
  readonly parsed?: Parsed;
};

export const broughtOf = <Parsed extends object>(rows: readonly CsvLine[], kind: Kind<Parsed>, answers: Answers): Brought<Parsed> => {
  const { template, target } = kind;
  const none = { lacks: [], words: [], rows: [] };
  const ofTemplate = below(rows, exactly(template.columns));
  if (ofTemplate.ok) return judged(ofTemplate.lines, kind, answers);
  const isOwnHeader = ofTemplate.detail !== undefined || ofTemplate.message !== fileMessages.wrongTemplate;
  if (isOwnHeader || rows.length === 0) return { ...none, refusal: ofTemplate };
  const layout =
    answers.layout ??
    layoutOf(
      rows.map(({ cells }) => cells),
      target,
    );
  const lacks = lacksOf(layout, kind);
  if (!answers.isMapped || lacks.length > 0) return { ...none, refusal: ofTemplate, layout, lacks };
  const lines = mappedLines(rows, layout, kind);
  if (lines.length === 0) return { ...none, refusal: refused(fileMessages.noRows), layout };
  return { ...judged(lines, kind, answers), layout };
};

const judged = <Parsed extends object>(lines: readonly CsvLine[], kind: Kind<Parsed>, answers: Answers): Brought<Parsed> => {
  const { template } = kind;
  const words = kind.awayBy === undefined ? [] : wordsIn(lines, kind);
  const answered = withMeanings(lines, kind, answers.words);
  const left: RefusedRow[] = [];
  let kept = answered.lines;
  for (;;) {
    const read = template.read(kept, answered.away);
    if (read.ok) {
      const isAsked = words.some((word) => answers.words[wordKey(word)] === undefined);
      return left.length > 0 && !answers.leavesOut
        ? { lacks: [], words, rows: left, refusal: firstRefusal(lines, kind) }
        : { lacks: [], words, rows: left, ...(isAsked ? { refusal: firstRefusal(lines, kind) } : { parsed: read }) };
    }
    const wrong = new Map<number, FileProblem[]>();
    for (const problem of read.problems) wrong.set(problem.line, [...(wrong.get(problem.line) ?? []), problem]);
    // Which of two rows of one student is meant nobody can say here, nor what a file without problems in its cells should have been.
    if (wrong.size === 0 || read.message === fileMessages.duplicateIds) return { lacks: [], words, rows: [], refusal: read };
    const open = new Set(words.filter((word) => answers.words[wordKey(word)] === undefined).map(({ text }) => text.toLowerCase()));
    for (const [line, problems] of wrong) {
      const others = problems.filter(({ value }) => !open.has(value.toLowerCase()));
      const cells = kept.find((one) => one.line === line)?.cells ?? [];
      if (others.length > 0) left.push({ line, who: whoIn(cells, kind), why: whyOf(others) });
    }
    kept = kept.filter(({ line }) => !wrong.has(line));
    if (kept.length === 0) return { lacks: [], words, rows: left, refusal: firstRefusal(lines, kind) };
  }
};

/** What the template says of the file as it stands. */
const firstRefusal = <Parsed>(lines: readonly CsvLine[], { template }: Kind<Parsed>): CsvRefusal => {
  const read = template.read(lines);
  return read.ok ? refused(fileMessages.wrongTemplate) : read;
};

const whoIn = (cells: readonly string[], { people }: Pick<Kind<never>, 'people'>): string => {
  const [id = '', name = ''] = [cells[people.indexOf('id')], cells[people.indexOf('name')]];
  return name === '' ? id : `${name} (${id})`;
};

const whyOf = (problems: readonly FileProblem[]): string =>
  problems
    .map(({ column, value }) => `${column}: ${value === '' ? 'blank' : `“${value.length > 40 ? `${value.slice(0, 39)}…` : value}”`}`)
    .join(', ');

/* Words in place of marks */

/** A, abs, N/A, EX, -: what is no number at all. */
const isWord = (text: string): boolean => text !== '' && markOf(text) === undefined && !/\d/.test(text) && text.length <= 20;

const wordsIn = <Parsed>(lines: readonly CsvLine[], kind: Kind<Parsed>): readonly Word[] => {
  const found = new Map<string, Word>();
  for (const { cells } of lines)
    for (const [column, text] of cells.entries()) {
      if (column < kind.people.length || !isWord(text)) continue;
      const word = { text, alone: isAlone(cells, kind) };
      const key = wordKey(word);
      found.set(key, { ...(found.get(key) ?? word), count: (found.get(key)?.count ?? 0) + 1 });
    }
  return [...found.values()];
};

const isAlone = <Parsed>(cells: readonly string[], { awayBy, people }: Kind<Parsed>): boolean =>
  awayBy === 'column' || cells.slice(people.length).every((text) => text === '' || isWord(text));

const withMeanings = <Parsed>(
  lines: readonly CsvLine[],
  kind: Kind<Parsed>,
  words: Answers['words'],
): { readonly lines: readonly CsvLine[]; readonly away: AwayCells } => {
  const away = new Map<number, Map<number, Away>>();
  const read = lines.map(({ line, cells }) => ({
    line,
    cells: cells.map((text, column) => {
      const meaning = column < kind.people.length || !isWord(text) ? undefined : words[wordKey({ text, alone: isAlone(cells, kind) })];
      if (meaning === undefined) return text;
      if (isAway(meaning)) away.set(line, (away.get(line) ?? new Map<number, Away>()).set(column, meaning));
      return meaning === '0' ? '0' : '';
    }),
  }));
  return { lines: read, away };
};

/* By a layout */

/** What a layout lacks to be read as this kind of file. */
const lacksOf = <Parsed>({ roles }: Layout, { people, target: { values } }: Kind<Parsed>): readonly string[] => {
  const has = (...some: readonly Role[]): boolean => some.some((role) => roles.includes(role));
  const names = has('name', 'first-last') || (has('surname') && has('first'));
  const isList = people.includes('set');
  return [
    isList && !has('id') ? 'StudentID' : undefined,
    isList && !names ? 'the name' : undefined,
    isList && !has('set') ? 'the set' : undefined,
    !isList && !has('id') && !names ? 'StudentID or the name' : undefined,
    values.length > 0 && !roles.some((role) => role.startsWith('v'))
      ? `a column of ${values.length === 1 ? values[0]?.name : 'marks'}`
      : undefined,
  ].filter((lack) => lack !== undefined);
};

/** The rows of students, in the columns of the template. A row without a StudentID has the number of its line in its place. */
const mappedLines = <Parsed>(
  rows: readonly CsvLine[],
  { roles, kinds }: Layout,
  { people, target, template }: Kind<Parsed>,
): readonly CsvLine[] =>
  rows.flatMap(({ line, cells }, at) => {
    if (kinds[at] !== 'row') return [];
    const named = namedIn(cells, roles);
    const cell = (role: Role): string => cells[roles.indexOf(role)] ?? '';
    const person = {
      id: named.id === '' && !roles.includes('id') ? lineAsId(line) : named.id,
      name: roles.includes('first-last') ? lastFirst(named.name) : named.name,
      set: cell('set'),
      birth: birthIn(cell('birth')),
    };
    const values = valuesIn(cells, roles, template.columns.length - people.length);
    return [
      {
        line,
        cells: [
          ...people.map((column) => person[column]),
          ...values.slice(0, Math.max(target.values.length, 0)),
          ...blankAfter(template.columns.length - people.length - target.values.length),
        ],
      },
    ];
  });

const blankAfter = (count: number): readonly string[] => Array.from({ length: Math.max(0, count) }, () => '');

/** Stéphane Adler -> Adler, Stéphane */
const lastFirst = (name: string): string => {
  if (name.includes(',')) return name;
  const parts = name.split(/\s+/u);
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${last}, ${parts.join(' ')}`;
};

const birthIn = (text: string): string => {
  const iso = writtenDate(text);
  return iso === undefined ? text : dateText(iso);
};
