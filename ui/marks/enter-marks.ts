import type { Api } from '../api/client.ts';
import { isRefused } from '../api/failure.ts';
import type { Commands } from '../api/questions.ts';
import type { Trouble } from '../drafts/store.ts';
import type { MarksBatch } from './mark-drafts.ts';
import { cellIn } from './mark-drafts.ts';

/** Sends a save, recorded as typed: as whoever was viewed then. */
export const enterMarks = async (api: Api, { id, input: { as, ...input } }: MarksBatch): Promise<Commands['EnterMarks']['result']> => {
  const sendAs = async (viewAs: string | undefined) => (await api.command('EnterMarks', input, { key: id, as: viewAs })).result;
  try {
    return await sendAs(as);
  } catch (error) {
    const [role, teacherId] = as?.split(' ') ?? [];
    // A teacher who has left the subject meanwhile can no longer be viewed, but the marks were typed all the same.
    if (teacherId === undefined || !isRefused(error, 'forbidden')) throw error;
    return sendAs(role);
  }
};

/** What the server did not take from a save, by the keys of its drafts. */
export const troublesIn = ({ values }: MarksBatch, { refused }: Commands['EnterMarks']['result']): Readonly<Record<string, Trouble>> => {
  const reasons = new Map(refused.map(({ studentId, questionId, message }) => [placeOf({ studentId, questionId }), message]));
  return Object.fromEntries(
    Object.keys(values).flatMap((key): (readonly [string, Trouble])[] => {
      const cell = cellIn(key);
      const reason = cell && reasons.get(placeOf(cell));
      return reason === undefined ? [] : [[key, { kind: 'refused', reason }]];
    }),
  );
};

/** A save holds totals, or marks and attendance: a student without a question is one of its cells. */
const placeOf = ({ studentId, questionId = '' }: { readonly studentId: string; readonly questionId?: string | undefined }): string =>
  `${studentId} ${questionId}`;
