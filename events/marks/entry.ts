import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import { markColumns, markValue } from '../codec/columnar.ts';
import type { ReadEventOf, Recorded } from '../codec/event.ts';
import { event, sealedByAuthor } from '../codec/event.ts';
import { id, isoDate } from '../fields.ts';

const upload = z.strictObject({
  subjectId: id,
  marks: markColumns,
  /** of the file; personal, because its name may be about people */
  about: sealedByAuthor(z.strictObject({ fileName: z.string() })),
  /** The day on which its assessments were sat; absent: it does not say. */
  satOn: isoDate.optional(),
});

/** Why a cell of a save was refused. */
export const refusal = z.enum(['unknown-student', 'unknown-question', 'not-your-set', 'above-maximum', 'not-a-mark']);

/**
 * Storage contract of `entry-{schoolId}.{entryId}`: one sitting of one person, an upload or an open grid with its pauses.
 * `marks` holds only the cells that the command wrote, each with what its author saw there, and the maximum it was checked against.
 */
export const entryEvents = {
  TotalsUploaded: event(2, upload),
  MarksUploaded: event(2, upload),
  MarksEntered: event(
    1,
    z.strictObject({
      subjectId: id,
      /** number of this save in the sitting, from 1 */
      seq: z.int().min(1),
      marks: markColumns,
      refused: z.array(
        z.strictObject({
          studentId: id,
          testId: id,
          questionId: id.optional(),
          /** as typed, and so perhaps not a mark */
          is: z.union([z.int(), markValue]),
          reason: refusal,
        }),
      ),
    }),
  ),
  MarkDecided: event(1, z.strictObject({ subjectId: id, marks: markColumns })),
};

export type Entry = {
  /** accountId of its only author */
  author: string | undefined;
  subjectId: string | undefined;
  /** number of the last stored save */
  seq: number;
  /** The command of each stored save: a repeated save is answered from it. */
  saves: Map<number, string>;
};

export const entry: Aggregate<Entry, Recorded<ReadEventOf<typeof entryEvents>>> = {
  category: 'entry',
  initial: () => ({ author: undefined, subjectId: undefined, seq: 0, saves: new Map() }),
  evolve: (state, { type, data, metadata }) => {
    state.author ??= metadata.actor.accountId;
    state.subjectId = data.subjectId;
    if (type === 'MarksEntered') {
      state.seq = Math.max(state.seq, data.seq);
      state.saves.set(data.seq, metadata.commandId);
    }
    return state;
  },
};
