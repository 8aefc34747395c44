import type { Away } from '#api/contract/attendance';
import { AWAYS, isAway } from '#api/contract/attendance';
import type { Match, Named } from '#api/students/identity.formula';
import { valueIn } from '../../../../ui/file/layout/target.ts';
import { isNumber } from '../../../../ui/file/layout/cells.ts';
import { isNaming, isSumOf, maximaIn, namedIn, unexplainedIn, valuesIn } from '../../../../ui/file/layout/layout.ts';
import { counted, some } from '../../../format.ts';
import type { Copied, Meaning, PasteTarget } from './copied.ts';
import type { Edit } from '../place.ts';
import type { Pupil } from '../view.ts';

/** A row of a block with something in it: whose it is, and what it says. */
export type Line = {
  /** In the block, from 0. */
  readonly at: number;
  /** 'Nobody, Nina'; where nothing names anybody, 'row 3'. */
  readonly label: string;
  readonly named: Named;
  readonly match: Match<Pupil>;
  readonly student: Pupil | undefined;
  readonly isLeftOut: boolean;
  /** Beyond doubt whose it is. */
  readonly isSure: boolean;
  readonly cells: readonly { readonly column: number; readonly text: string; readonly word: string | undefined }[];
};

/** A word in place of marks, as it is asked about. One beside other marks of its row cannot mean that its student was away. */
export type Word = { readonly keys: readonly string[]; readonly label: string; readonly meanings: readonly Meaning[] };

/** What would be stored of a block, and what there is to say about it. */
export type Plan = {
  readonly lines: readonly Line[];
  readonly words: readonly Word[];
  /** What looks wrong, in sentences, and what its author must say before anything is stored. */
  readonly doubts: readonly string[];
  readonly undecided: readonly string[];
  /** Words whose meaning nobody has said yet. */
  readonly unsaid: readonly string[];
  readonly edits: readonly Edit[];
  readonly away: readonly { readonly row: number; readonly is: Away }[];
  /** Words that say nothing. */
  readonly blank: number;
  /** Rows that are of nobody here, and rows that are left out. */
  readonly strangers: readonly Line[];
  readonly leftOut: readonly Line[];
  /** Numbers beyond the table. */
  readonly outside: number;
  readonly isNamed: boolean;
};

export const planOf = (copied: Copied, target: PasteTarget): Plan => {
  const { rows, layout } = copied;
  const isNamed = isNaming(layout);
  const all = linesOf(copied, target);
  const isPlain = !isNamed && layout.header === undefined;
  const beyond = isPlain ? columnsBeyond(copied) : unexplainedIn(rows, layout, target.layout);
  const outside = rows.flatMap((row, at) => (layout.kinds[at] === 'row' ? beyond.filter((column) => row[column]) : []));
  const lines = all.filter(({ isLeftOut }) => !isLeftOut);
  const out = all.filter(({ isLeftOut }) => isLeftOut);
  const words = wordsIn(lines, target);
  const isOfNobody = ({ match }: Line): boolean => match.kind === 'nobody';
  const below = isNamed ? [] : out.filter(({ student }) => student === undefined);
  return {
    lines: all,
    words,
    doubts: [...columnDoubts(copied, beyond), ...maximumDoubts(copied, target), ...(isNamed ? unheadedDoubts(copied, target) : [])],
    undecided: undecidedIn(lines, copied),
    unsaid: words.flatMap(({ keys, label }) => (keys.every((key) => copied.words.has(key)) ? [] : [`Say what is meant by ${label}.`])),
    ...saidIn(lines, copied, target),
    strangers: isNamed ? out.filter(isOfNobody) : [],
    leftOut: out.filter((line) => (isNamed ? !isOfNobody(line) : !below.includes(line))),
    outside: outside.length + below.flatMap(({ cells }) => cells).length,
    isNamed,
  };
};

const columnsBeyond = ({ rows, layout: { roles } }: Copied): readonly number[] =>
  roles.flatMap((role, column) => (role === '' && rows.some((row) => row[column]) ? [column] : []));

const linesOf = ({ rows, layout, whose, leftOut, isColumn }: Copied, { students, columns, people }: PasteTarget): readonly Line[] =>
  rows.flatMap((row, at) => {
    const texts = layout.kinds[at] === 'row' ? valuesIn(row, layout.roles, columns.length) : [];
    const isWord = (text: string): boolean => !isColumn && !isNumber(text);
    const isAlone = texts.every((text) => text === '' || isWord(text));
    const cells = texts.flatMap((text, column) =>
      text === ''
        ? []
        : [{ column, text: whole(text), word: isWord(text) ? `${isAlone ? 'alone' : 'beside'} ${wordOf(text)}` : undefined }],
    );
    if (cells.length === 0) return [];
    const named = namedIn(row, layout.roles);
    const match = people.match(named);
    const chosenId = whose.get(at);
    const meant = match.kind === 'certain' || match.kind === 'likely' ? match.student : undefined;
    return {
      at,
      label: named.name || named.id || `row ${at + 1}`,
      named,
      match,
      student: chosenId === undefined ? meant : students.find(({ studentId }) => studentId === chosenId),
      isLeftOut: leftOut.has(at),
      isSure: match.kind === 'certain' || (!isNaming(layout) && chosenId !== undefined),
      cells,
    };
  });

/** What is written otherwise each time (3/4, 25%, =A1+B1) is asked about at once. */
const wordOf = (text: string): string => (/\d/u.test(text) ? '#' : text.toLowerCase());

/** 18.00 is 18. */
const whole = (text: string): string => text.replace(/^(\d+)[.,]0+$/u, '$1');

const wordsIn = (lines: readonly Line[], { hasAttendance }: PasteTarget): readonly Word[] => {
  const cells = lines.flatMap((line) => line.cells.flatMap(({ text, word }) => (word === undefined ? [] : [{ key: word, text }])));
  return [...Map.groupBy(cells, ({ key }) => key)].map(([key, found]) => {
    const isAlone = key.startsWith('alone ');
    const meanings: readonly Meaning[] = isAlone && hasAttendance ? [...AWAYS, 'blank', '0'] : ['blank', '0'];
    const texts = [...new Map(found.map(({ text }) => [text.toLowerCase(), `“${text}”`])).values()];
    return { keys: [key], label: `${some(texts)} (${counted(found.length, 'cell')}${isAlone ? '' : ', beside marks'})`, meanings };
  });
};

const headingOf = ({ rows, layout: { header } }: Copied, column: number): string => {
  const heading = header === undefined ? '' : (rows[header]?.[column] ?? '');
  return heading === '' ? `column ${column + 1}` : `“${heading}”`;
};

const columnDoubts = (copied: Copied, columns: readonly number[]): readonly string[] =>
  columns.length === 0
    ? []
    : [
        `${counted(columns.length, 'column')} ${columns.length === 1 ? 'has no place here, and is' : 'have no place here, and are'} left out: ${some(columns.map((column) => headingOf(copied, column)))}.`,
      ];

const maximumDoubts = ({ rows, layout }: Copied, { columns }: PasteTarget): readonly string[] =>
  [...maximaIn(rows, layout)].flatMap(([at, max]) => {
    const column = columns[at];
    return column && column.max !== max
      ? [`What was copied says that ${column.name} is out of ${max}, and the paper says ${column.max}.`]
      : [];
  });

/** Without headings: which questions these are is not beyond doubt where the first one is empty, or the last one is a sum. */
const unheadedDoubts = ({ rows, layout }: Copied, { columns }: PasteTarget): readonly string[] => {
  const values = layout.roles.flatMap((role, column) => (valueIn(role) === undefined ? [] : [column]));
  const [first, last] = [values[0], values.at(-1)];
  if (layout.header !== undefined || first === undefined || last === undefined) return [];
  const lines = rows.filter((_, at) => layout.kinds[at] === 'row');
  const others = values.slice(0, -1);
  // Behind a column without marks, which may be the first question, a nought may be the sum of noughts.
  const isAfterGap = layout.roles[first - 1] === '' && !lines.some((row) => isNumber(row[first - 1] ?? ''));
  const isNoughtOfNoughts = (row: readonly string[]): boolean => values.every((column) => !Number(row[column]));
  return [
    ...(lines.every((row) => !row[first]) ? [`The first column of marks is empty: is it ${columns[0]?.name}?`] : []),
    ...(isSumOf(lines, last, others) || (isAfterGap && lines.every(isNoughtOfNoughts))
      ? ['The last column is the sum of the others: is it a mark?']
      : []),
  ];
};

const undecidedIn = (lines: readonly Line[], { layout }: Copied): readonly string[] => {
  const homeless = lines.filter(({ student }) => student === undefined);
  const students = Map.groupBy(lines, ({ student }) => student);
  const repeated = [...students].flatMap(([student, same]) =>
    student && same.length > 1 ? [student.name ?? student.admissionNo ?? ''] : [],
  );
  return [
    ...(layout.roles.some((role) => valueIn(role) !== undefined) ? [] : ['Say which columns hold marks.']),
    ...(homeless.length > 0 ? [`Say whose marks these are, or leave them out: ${some(homeless.map(({ label }) => label))}.`] : []),
    ...(repeated.length > 0 ? [`Two rows are for the same student: ${some(repeated)}. Leave one of them out.`] : []),
  ];
};

/** What is stored. Who was away has no marks of the same row. */
const saidIn = (lines: readonly Line[], { words }: Copied, { students }: PasteTarget): Pick<Plan, 'edits' | 'away' | 'blank'> => {
  const edits: Edit[] = [];
  const away: { row: number; is: Away }[] = [];
  let blank = 0;
  for (const { student, cells } of lines) {
    const row = student ? students.indexOf(student) : -1;
    if (row < 0) continue;
    const meaningOf = (word: string | undefined) => (word === undefined ? undefined : words.get(word));
    const is = cells.map(({ word }) => meaningOf(word)).find(isAway);
    if (is) away.push({ row, is });
    for (const { column, text, word } of cells) {
      const meaning = meaningOf(word);
      if (word !== undefined && meaning !== '0') blank += is ? 0 : 1;
      else if (!is) edits.push({ place: { row, column }, text: meaning ?? text });
    }
  }
  return { edits, away, blank };
};
