import { typedNumber, wrongCount } from '#api/contract/rules';
import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';

/** What a teacher says of a student, as it stands in the fields. A comment of a student who is not flagged is kept, but not sent. */
export type CheckInput = { readonly rank: string; readonly flag: boolean; readonly comment: string };

type Stored = Pick<RankedStudent, 'teacherRank' | 'rankingFlag' | 'rankingComment' | 'gradeFlag' | 'gradeComment'>;

export const checkInputOf = (student: Stored, kind: 'ranking' | 'grades'): CheckInput =>
  kind === 'ranking'
    ? { rank: student.teacherRank?.toString() ?? '', flag: student.rankingFlag, comment: student.rankingComment ?? '' }
    : { rank: '', flag: student.gradeFlag, comment: student.gradeComment ?? '' };

export const isSameCheckInput = (a: CheckInput, b: CheckInput): boolean =>
  a.rank.trim() === b.rank.trim() && a.flag === b.flag && (a.flag ? a.comment.trim() : '') === (b.flag ? b.comment.trim() : '');

export const hasCheckInput = ({ rank, flag }: CheckInput): boolean => flag || rank.trim() !== '';

/** As a command takes it. */
export const rowOf = ({ studentId }: Pick<RankedStudent, 'studentId'>, { rank, flag, comment }: CheckInput) => ({
  studentId,
  flag,
  ...(flag && comment.trim() !== '' && { comment: comment.trim() }),
  teacherRank: rank.trim() === '' ? null : typedNumber(rank),
});

/** 'order 2, flagged: “Was ill”' */
export const checkInputText = ({ rank, flag, comment }: CheckInput): string => {
  const parts = [
    ...(rank.trim() === '' ? [] : [`order ${rank.trim()}`]),
    ...(flag ? [comment.trim() === '' ? 'flagged' : `flagged: “${comment.trim()}”`] : []),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
};

/** Blank is no rank. */
export const wrongRank = (rank: string): string | undefined => (rank.trim() === '' ? undefined : wrongCount(typedNumber(rank)));
