import { typedNumber, wrongCount } from '#api/contract/rules';
import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import type { Draft } from '../../../ui/drafts/drafts.ts';
import type { DraftStore } from '../../../ui/drafts/store.ts';
import { useMemoryDrafts } from '../../../ui/drafts/useDraftStore.ts';

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

/** What stood when the typing about a student began. `of`: the ranking, or the grades; `name`: null of somebody who was forgotten. */
export type CheckSeen = { readonly input: CheckInput; readonly of: string | undefined; readonly name: string | null };
type CheckDraft = Draft<CheckInput, CheckSeen>;
/** By student. */
export type CheckDrafts = DraftStore<CheckInput, CheckSeen, never>;

/** What is typed in a check and not stored. It outlives the ranking that it is about, which may be made again, taken back or deleted. */
export const useCheckDrafts = (): CheckDrafts => useMemoryDrafts<CheckInput, CheckSeen>();

/** 'Adams, Ann: order 2', of what was changed. */
export const checkDraftLines = (drafts: Readonly<Record<string, CheckDraft>>): readonly string[] =>
  Object.values(drafts).flatMap(({ value, saw }) =>
    isSameCheckInput(value, saw.input) ? [] : [`${saw.name ?? 'Forgotten student'}: ${checkInputText(value)}`],
  );

/** Since the typing began, somebody else has stored a check that says something else. */
export const isCheckOvertaken = (
  { value, saw }: { readonly value: CheckInput; readonly saw: Pick<CheckSeen, 'input'> },
  now: Pick<CheckSeen, 'input'>,
): boolean => !isSameCheckInput(saw.input, now.input) && !isSameCheckInput(value, now.input);
