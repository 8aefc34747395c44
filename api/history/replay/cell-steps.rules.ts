/** A student's total in an assessment, through the log: what the row of `markbook` says after each change of its cells or of the paper. */
import type { Question } from '../../../events/assessments/assessment.ts';
import type { Cell, Change } from '../../../events/marks/cell.ts';
import { emptyCell, reading, withRedone, withUndone } from '../../../events/marks/cell.ts';
import type { MarkbookTotal } from '../../marks/marks.contract.ts';
import { ifFlagged } from '../../marks/staff-total.facts.ts';

/** Where an event lies in the log, and who made it. */
export type Author = {
  readonly position: bigint;
  readonly eventId: string;
  readonly type: string;
  readonly at: string;
  readonly by: string;
};

/** A cell of `results`, with all its changes; `kind` as there. */
export type StoredCell = { readonly kind: string; readonly itemId: string; readonly changes: Cell };

/** The events that concern it, by what they are about. */
export type OfCells = {
  /** By command, of saves. */
  readonly saves: ReadonlyMap<string, Author>;
  /** By command that is undone or redone, in the order of the log. */
  readonly turns: ReadonlyMap<string, readonly (Author & { readonly isUndo: boolean })[]>;
  /** Of the assessment, in the order of the log. */
  readonly papers: readonly (Author & { readonly questions: readonly Question[] })[];
};

export type CellStep = { readonly author: Author; readonly total: MarkbookTotal };

type Act = { readonly author: Author; readonly paper?: readonly Question[]; readonly turn?: (cells: Cells) => void };
type Read = { readonly value: number | string | null; readonly isContested: boolean };
/** By kind and item: its changes up to now, and what they say. */
type Cells = Map<StoredCell, { cell: Cell; read: Read }>;

/** What stood in the markbook after each event since the first mark, oldest first; the same may stand there twice. */
export const cellSteps = (stored: readonly StoredCell[], { saves, turns, papers }: OfCells): readonly CellStep[] => {
  const acts: Act[] = papers.map((author) => ({ author, paper: author.questions }));
  const commands = new Set<string>();
  for (const one of stored)
    for (const change of one.changes) {
      commands.add(change.command);
      const author = saves.get(change.command);
      if (author) acts.push({ author, turn: (cells) => turned(cells, one, (cell) => [...cell, { ...change, undone: false }]) });
    }
  for (const command of commands)
    for (const author of turns.get(command) ?? []) {
      const turn = author.isUndo ? withUndone : withRedone;
      acts.push({ author, turn: (cells) => stored.forEach((one) => turned(cells, one, (cell) => turn(cell, command))) });
    }
  acts.sort((one, other) => Number(one.author.position - other.author.position));
  const cells: Cells = new Map();
  let paper: ReadonlyMap<string, number> = new Map();
  return acts.flatMap(({ author, paper: changed, turn }, index) => {
    if (changed) paper = new Map(changed.map(({ questionId, marksAvailable }) => [questionId, marksAvailable]));
    turn?.(cells);
    // What an event does to several cells is one step.
    const isLast = acts[index + 1]?.author.position !== author.position;
    return isLast && cells.size > 0 ? [{ author, total: totalOf(cells, paper) }] : [];
  });
};

const turned = (cells: Cells, of: StoredCell, turn: (cell: Cell) => readonly Change[]): void => {
  const before = cells.get(of)?.cell ?? emptyCell;
  const cell = turn(before);
  if (cell === before) return;
  const now = reading(cell);
  const value = now.state === 'empty' || now.value === 'cleared' ? null : now.value;
  cells.set(of, { cell, read: { value, isContested: now.state === 'contested' } });
};

/** As `STAFF_TOTAL` and `TOTAL_FLAGS` say it of the stored sums. `paper`: the maximum of each question. */
const totalOf = (cells: Cells, paper: ReadonlyMap<string, number>): MarkbookTotal => {
  let total: Read = NOTHING;
  let attendance: Read = NOTHING;
  let [sum, count, above, contested] = [0, 0, 0, 0];
  for (const [{ kind, itemId }, { read }] of cells) {
    const max = paper.get(itemId);
    if (kind === 't') total = read;
    else if (kind === 'a') attendance = read;
    else if (max !== undefined) {
      contested += Number(read.isContested);
      if (typeof read.value !== 'number') continue;
      sum += read.value;
      count += 1;
      above += Number(read.value > max);
    }
  }
  const isWhole = count > 0 && count === paper.size;
  const entered = typeof total.value === 'number' ? total.value : null;
  const max = paper.size === 0 ? null : [...paper.values()].reduce((all, marks) => all + marks, 0);
  const sat = attendance.value === 'absent' || attendance.value === 'exempt' ? attendance.value : 'sat';
  const isContested = total.isContested || (entered === null && contested > 0 && isWhole);
  const isAbove = entered !== null && max !== null ? entered > max : above > 0;
  const open = sat === 'sat' ? Number(isContested) + 4 * Number(isAbove) : 0;
  return {
    total: sat === 'sat' ? (entered ?? (isWhole ? sum : null)) : null,
    source: entered !== null ? 'total' : isWhole ? 'marks' : null,
    attendance: sat,
    ...ifFlagged(open + 2 * Number(attendance.isContested)),
    ...(count > 0 && count < paper.size && { marked: { questions: count, of: paper.size } }),
  };
};
const NOTHING: Read = { value: null, isContested: false };
