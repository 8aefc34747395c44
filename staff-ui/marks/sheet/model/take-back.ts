import { sentence } from '../../../../ui/api/failure.ts';
import { uuid } from '../../../../ui/api/uuid.ts';
import type { StoredSave } from '../../../../ui/marks/enter-marks.ts';
import type { Batch } from '../../../../ui/drafts/drafts.ts';
import type { MarkDrafts, MarksInput, TextDraft } from '../../../../ui/marks/mark-drafts.ts';
import { sawOf } from '../../../../ui/marks/mark-drafts.ts';
import type { PageSaves, LoggedSave } from '../../../../ui/marks/page-saves.ts';
import { counted } from '../../../format.ts';
import type { Change, Own, Step } from '../../grid/history.ts';
import type { Report } from '../../grid/report.ts';
import type { Table } from '../../grid/table.ts';
import type { Turned } from '#api/marks/marks.contract';
import { turnedText } from '../../upload/outcome-text.ts';
import type { Stored } from './cells.ts';

type Taking = {
  readonly drafts: MarkDrafts;
  readonly statements: PageSaves;
  readonly undo: (save: StoredSave) => Promise<Turned>;
  readonly stored: ReadonlyMap<string, Pick<Stored, 'text' | 'saw'>>;
  /** Texts that are shown here alone. */
  readonly mistyped: Readonly<Record<string, string>>;
  readonly showHere: (texts: Readonly<Record<string, string | undefined>>) => void;
  /** Sends what waits, without a pause. */
  readonly saveNow: () => void;
  readonly noun: string;
};

/**
 * Takes back what this page says of cells: what waits is a draft again as it was before, and what is stored is undone as the save that it is,
 * so that what other people said, or the same person before, counts again. Nothing is typed instead of it.
 */
export const takingBack = (taking: Taking): Pick<Table, 'ownOf' | 'takeBack' | 'sayAgain'> => {
  const { drafts, statements, mistyped, showHere } = taking;

  const ownOf = (keys: readonly string[]): Step => {
    const { drafts: typed, batches } = drafts.seen();
    const going = new Map(Object.values(batches).flatMap(({ id, values }) => Object.keys(values).map((key) => [key, id] as const)));
    return keys.map((key) => ({
      key,
      ownState: { draft: typed[key], here: mistyped[key], batch: going.get(key), statement: statements.last(key) },
    }));
  };

  const takeBack: Table['takeBack'] = (step) => {
    const { batches } = drafts.seen();
    const now = ownOf(step.map(({ key }) => key));
    const again: Change[] = [];
    const restored: Record<string, TextDraft | undefined> = {};
    const here: Record<string, string | undefined> = {};
    const going = new Set<string>();
    const saves = new Set<LoggedSave>();
    for (const [index, { key, ownState: before }] of step.entries()) {
      const ownState = now[index]?.ownState ?? {};
      const since = statements.since(key, before.statement).filter(({ batch }) => batch !== before.batch);
      const statement = statementIn(ownState, since, key);
      // Nothing was said, or it was given up meanwhile.
      if (ownState.here === undefined && !statement && before.here === undefined && !before.draft) continue;
      again.push({ key, ownState: { here: ownState.here, draft: statement } });
      here[key] = before.here;
      restored[key] = before.batch === undefined || batches[before.batch] ? before.draft : undefined;
      if (ownState.batch !== undefined && ownState.batch !== before.batch) going.add(ownState.batch);
      for (const save of since) saves.add(save);
    }
    const keys = new Set(Object.keys(restored));
    const before = new Map(step.map(({ key, ownState }) => [key, ownState.batch]));
    const isOf = ({ id, values }: MarkBatch): boolean => Object.keys(values).some((key) => keys.has(key) && before.get(key) !== id);
    showHere(here);
    if (keys.size > 0) drafts.put(restored);
    return { again, report: reportOf(taking, { keys, going: [...going], isOf, saves: [...saves].toReversed() }) };
  };

  const sayAgain: Table['sayAgain'] = (step) => {
    const before = ownOf(step.map(({ key }) => key));
    const block = step.length > 1 ? { block: uuid() } : {};
    showHere(Object.fromEntries(step.map(({ key, ownState }) => [key, ownState.here])));
    drafts.put(Object.fromEntries(step.map(({ key, ownState: { draft } }) => [key, draft && { ...draft, ...block }])));
    if (step.length > 1) taking.saveNow();
    return before;
  };

  return { ownOf, takeBack, sayAgain };
};

/** What a page says of a cell since a step began, with what was seen before it. */
const statementIn = ({ draft }: Own, since: readonly LoggedSave[], key: string): TextDraft | undefined => {
  const saw = since[0]?.cells.get(key)?.saw;
  if (draft) return { ...draft, saw: saw ?? draft.saw };
  const [last, as] = [since.at(-1)?.cells.get(key), since.at(-1)?.as];
  return last && { value: last.value, saw: saw ?? '', ...(as === undefined ? {} : { as }) };
};

type MarkBatch = Batch<string, MarksInput>;
type Back = {
  readonly keys: ReadonlySet<string>;
  /** Batches that are known to be on their way. */
  readonly going: readonly string[];
  /** Whether a batch holds what is taken back. */
  readonly isOf: (batch: MarkBatch) => boolean;
  readonly saves: readonly LoggedSave[];
};

/** Takes back what is stored, and what is on its way. */
const reportOf = async (taking: Taking, { keys, going, isOf, saves }: Back): Promise<Report> => {
  const { drafts, statements, noun } = taking;
  try {
    const undone = undoSaves(taking, saves, keys);
    // What has been answered while it was taken back is stored.
    const late = new Set(await drafts.takeBack(going, isOf));
    const isLate = (save: LoggedSave | undefined): save is LoggedSave => save !== undefined && late.has(save.batch);
    const answered = new Set([...keys].map((key) => statements.last(key)).filter(isLate));
    const texts = [...(await undone), ...(await undoSaves(taking, [...answered], keys))];
    return { text: [`${counted(keys.size, noun)} taken back.`, ...texts].join(' ').trim(), isBad: false };
  } catch (error) {
    return { text: sentence(error), isBad: true };
  }
};

/** Undoes saves. What they hold besides these cells is typed again, unless somebody has entered something else there since. */
const undoSaves = (
  { drafts, statements, undo, stored }: Taking,
  saves: readonly LoggedSave[],
  keys: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const rest: Record<string, TextDraft> = {};
  const typed = drafts.seen().drafts;
  for (const save of saves) {
    for (const [key, { value, saw }] of save.cells) {
      const now = stored.get(key);
      // What is stored may not be shown yet.
      const isOurs = now !== undefined && (now.text === sawOf(value) || now.saw === saw);
      if (!keys.has(key) && isOurs && typed[key] === undefined && statements.last(key) === save)
        rest[key] = { value, saw, ...(save.as === undefined ? {} : { as: save.as }) };
    }
    statements.forget(save);
  }
  const isPart = Object.keys(rest).length > 0;
  if (isPart) drafts.put(rest);
  return Promise.all(
    saves.map(async ({ entryId, commandId, as }) => {
      const answer = await undo({ entryId, commandId, as });
      return answer.shared + answer.replaced > 0 && !isPart ? turnedText(answer) : '';
    }),
  );
};
