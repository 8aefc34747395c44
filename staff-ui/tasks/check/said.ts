import { wrongCount } from '#api/contract/rules';
import type { RankedStudent } from '#api/task-views/task-answers.contract';

/** What a teacher says of a student, as it stands in the fields. A comment of a student who is not flagged is kept, but not sent. */
export type Said = { readonly rank: string; readonly flag: boolean; readonly comment: string };

type Stored = Pick<RankedStudent, 'teacherRank' | 'rankingFlag' | 'rankingComment' | 'gradeFlag' | 'gradeComment'>;

export const saidOf = (student: Stored, kind: 'ranking' | 'grades'): Said =>
  kind === 'ranking'
    ? { rank: student.teacherRank?.toString() ?? '', flag: student.rankingFlag, comment: student.rankingComment ?? '' }
    : { rank: '', flag: student.gradeFlag, comment: student.gradeComment ?? '' };

export const isSameSaid = (a: Said, b: Said): boolean =>
  a.rank.trim() === b.rank.trim() && a.flag === b.flag && (a.flag ? a.comment.trim() : '') === (b.flag ? b.comment.trim() : '');

export const isSaid = ({ rank, flag }: Said): boolean => flag || rank.trim() !== '';

/** Blank is no rank. */
export const wrongRank = (rank: string): string | undefined => (rank.trim() === '' ? undefined : wrongCount(Number(rank)));
