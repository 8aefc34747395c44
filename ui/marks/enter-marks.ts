import type { Api } from '../api/client.ts';
import { isRefused } from '../api/failure.ts';
import type { Commands } from '../api/questions.ts';
import type { Trouble } from '../drafts/seen.ts';
import type { MarksBatch } from './mark-drafts.ts';
import { cellIn } from './mark-drafts.ts';

/** Sends a save, recorded as typed: as whoever was viewed then. What its author has taken back meanwhile is undone at once. */
export const enterMarks = async (
  api: Api,
  { id, input: { as, ...input }, takenBack }: MarksBatch,
): Promise<Commands['EnterMarks']['result']> => {
  const answer = await asThen(as, async (viewAs) => (await api.command('EnterMarks', input, { key: id, as: viewAs })).result);
  if (takenBack && answer.commandId !== null) await undoMarks(api, { entryId: input.entryId, commandId: answer.commandId, as });
  return answer;
};

/** A save in the log, for taking it back. `as`: as whom it was typed. */
export type StoredSave = { readonly entryId: string; readonly commandId: string; readonly as?: string | undefined };

export const undoMarks = (api: Api, { as, ...save }: StoredSave): Promise<Commands['UndoCommand']['result']> =>
  asThen(as, async (viewAs) => (await api.command('UndoCommand', save, { as: viewAs })).result);

const asThen = async <Answer>(as: string | undefined, send: (as: string | undefined) => Promise<Answer>): Promise<Answer> => {
  try {
    return await send(as);
  } catch (error) {
    const [role, teacherId] = as?.split(' ') ?? [];
    // A teacher who has left the subject meanwhile can no longer be viewed, but the marks were typed all the same.
    if (teacherId === undefined || !isRefused(error, 'forbidden')) throw error;
    return send(role);
  }
};

/** What the server did not take from a save, by the keys of its drafts. Cells after the last refusal that it lists may be refused too. */
export const troublesIn = (
  { values, input: { cells } }: MarksBatch,
  { refused, refusedCount }: Commands['EnterMarks']['result'],
): Readonly<Record<string, Trouble>> => {
  const reasons = new Map(refused.map(({ studentId, questionId, message }) => [placeOf({ studentId, questionId }), message]));
  const last = refused.at(-1);
  if (last && refusedCount > refused.length) {
    const after = cells.findIndex((cell) => placeOf(cell) === placeOf(last)) + 1;
    for (const cell of cells.slice(after)) reasons.set(placeOf(cell), UNLISTED);
  }
  return Object.fromEntries(
    Object.keys(values).flatMap((key): (readonly [string, Trouble])[] => {
      const cell = cellIn(key);
      const reason = cell && reasons.get(placeOf(cell));
      return reason === undefined ? [] : [[key, { kind: 'refused', reason }]];
    }),
  );
};

const UNLISTED = 'Much of this save was refused, perhaps this mark as well. Enter it once more.';

/** A save holds totals, or marks and attendance: a student without a question is one of its cells. */
const placeOf = ({ studentId, questionId = '' }: { readonly studentId: string; readonly questionId?: string | undefined }): string =>
  `${studentId} ${questionId}`;
