import { z } from 'zod';
import { sealed } from '../codec/event.ts';
import { id } from '../fields.ts';

/** What somebody's own program ranked and sent, for one student; what is left out is as it was sent before. */
const recordedRow = z.strictObject({
  studentId: id,
  /** of that moment */
  setId: id,
  /** the assessments that it ranked by */
  testIds: z.array(id).optional(),
  ranking: z.int().min(1).nullable().optional(),
  score: z.number().positive().nullable().optional(),
  grade: z.string().min(1).max(20).nullable().optional(),
  teacherRank: z.int().min(1).nullable().optional(),
  flag: z.boolean().optional(),
  comment: sealed('studentId', z.strictObject({ text: z.string() })).optional(),
});
/** Storage contract of `RankingRecorded`. It is never taken for a ranking by R3. */
export const recorded = z.strictObject({ formula: z.literal('client'), rows: z.array(recordedRow).min(1) });

/** Storage contract of `RankingAdopted`. */
export const adopted = z.strictObject({
  formula: z.literal('client'),
  rows: z.array(z.strictObject({ studentId: id, setId: id, ranking: z.int().min(1).nullable(), score: z.number().positive().nullable() })),
});

/** What was sent for a student, all in all. */
export type RecordedRow = {
  readonly setId: string;
  readonly ranking: number | null;
  readonly score: number | null;
  readonly grade: string | null;
  readonly teacherRank: number | null;
  readonly flag: boolean;
};

const UNRECORDED = { ranking: null, score: null, grade: null, teacherRank: null, flag: false } as const;

export const recordedOver = (was: RecordedRow | undefined, { setId, ranking, score, grade, teacherRank, flag }: SentRow): RecordedRow => {
  const before = was ?? UNRECORDED;
  return {
    setId,
    ranking: ranking === undefined ? before.ranking : ranking,
    score: score === undefined ? before.score : score,
    grade: grade === undefined ? before.grade : grade,
    teacherRank: teacherRank === undefined ? before.teacherRank : teacherRank,
    flag: flag ?? before.flag,
  };
};
type SentRow = z.output<typeof recordedRow>;
