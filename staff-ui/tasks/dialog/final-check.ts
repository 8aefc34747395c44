import { REQUIRED, typedDecimal, typedNumber, wrongCount } from '#api/contract/rules';
import { gradeOf } from '#api/tasks/grades/grades.contract';
import type { RankedStudent, TaskRanking } from '#api/tasks/ranking/task-ranking.contract';
import { wrongScore } from '#api/tasks/task-fields.contract';
import type { Draft } from '../../../ui/drafts/drafts.ts';
import type { DraftStore } from '../../../ui/drafts/store.ts';
import { useMemoryDrafts } from '../../../ui/drafts/useDraftStore.ts';

/** What stands in the fields of a student in the final check. */
export type FinalInput = { readonly ranking: string; readonly score: string; readonly grade: string; readonly exempt: boolean };

/** What was decided about a student when the typing began, and how the fields read then. */
export type FinalSeen = Pick<RankedStudent, 'name' | 'exempt'> & {
  readonly decided: Pick<NonNullable<RankedStudent['decided']>, 'ranking' | 'score' | 'grade'> | null;
  readonly input: FinalInput;
};
/** What was typed about a student. Fields that were not touched follow what is stored. */
export type FinalDraft = Draft<Partial<FinalInput>, FinalSeen>;
/** By student, of those whose fields were touched. */
export type FinalDrafts = DraftStore<Partial<FinalInput>, FinalSeen, never>;

export const useFinalDrafts = (): FinalDrafts => useMemoryDrafts<Partial<FinalInput>, FinalSeen>();

type Figures = Pick<RankedStudent, 'ranking' | 'score' | 'grade' | 'exempt' | 'computed' | 'decided'>;

type Decided = Pick<FinalSeen, 'exempt' | 'decided'>;

const text = (value: number | string | null): string => (value === null ? '' : String(value));
const decimal = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 20, useGrouping: false });
/** 85.80, as scores read everywhere, with all decimals of one that was given by hand. */
export const typedScore = (score: number | null): string => (score === null ? '' : decimal.format(score));
const NONE = { ranking: null, score: null, grade: null } as const;

export const storedInput = ({ ranking, score, grade, exempt }: Figures): FinalInput => ({
  ranking: text(ranking),
  score: typedScore(score),
  grade: text(grade),
  exempt,
});

export const inputAbout = (student: Figures, draft: Pick<FinalDraft, 'value'> | undefined): FinalInput => ({
  ...storedInput(student),
  ...draft?.value,
});

/**
 * What is typed about a student now, after what was typed `before`; undefined: it reads as it is stored. `isSaving`: what is stored is about to
 * change, so that whatever is typed stays, also what reads as it is stored now.
 */
export const withInput = (
  before: FinalDraft | undefined,
  student: RankedStudent,
  part: Partial<FinalInput>,
  isSaving = false,
): FinalDraft | undefined => {
  const value = { ...before?.value, ...part };
  if (isSaving) return { value, saw: before?.saw ?? seenNow(student) };
  const now = inputAbout(student, { value });
  const shown = storedInput(student);
  if (FIELDS.every((field) => now[field] === shown[field])) return undefined;
  const isFirst = isSameFinalInput(inputAbout(student, before), shown);
  return { value, saw: (isFirst ? undefined : before?.saw) ?? seenNow(student) };
};
export const seenNow = (student: Figures & Pick<RankedStudent, 'name'>): FinalSeen => {
  const { name, exempt, decided } = student;
  return { name, exempt, decided, input: storedInput(student) };
};
const FIELDS = ['ranking', 'score', 'grade', 'exempt'] as const;

/** 'Adams, Ann: ranking 3, grade 9', of what is not stored. */
export const finalDraftLines = (drafts: Readonly<Record<string, FinalDraft>>): readonly string[] =>
  Object.values(drafts).flatMap((draft) => (isStored(draft) ? [] : [finalDraftText(draft)]));
const finalDraftText = ({ value: { ranking, score, grade, exempt }, saw }: FinalDraft): string =>
  `${saw.name ?? 'Forgotten student'}: ${[
    ranking === undefined ? undefined : `ranking ${ranking}`,
    score === undefined ? undefined : `score ${score}`,
    grade === undefined ? undefined : `grade ${grade}`,
    exempt === undefined ? undefined : exempt ? 'exempt' : 'not exempt',
  ]
    .filter((part) => part !== undefined)
    .join(', ')}`;

/** 71.20 is 71.2. */
export const isSameFinalInput = (a: FinalInput, b: FinalInput): boolean =>
  a.exempt === b.exempt && isSameNumber(a.ranking, b.ranking) && isSameNumber(a.score, b.score) && a.grade.trim() === b.grade.trim();
const isSameNumber = (a: string, b: string): boolean =>
  a.trim() === b.trim() || (a.trim() !== '' && b.trim() !== '' && Number(a) === Number(b));

export type WrongFinalInput = { readonly ranking?: string; readonly score?: string; readonly grade?: string };

/** Nothing is asked of students who are exempt or have left. */
export const wrongIn = ({ ranking, score, grade, exempt }: FinalInput, left: boolean): WrongFinalInput => {
  if (exempt || left) return {};
  const wrongRanking = ranking.trim() === '' ? REQUIRED : wrongCount(typedNumber(ranking));
  const wrongPoints = score.trim() === '' ? REQUIRED : wrongScore(typedDecimal(score));
  return {
    ...(wrongRanking !== undefined && { ranking: wrongRanking }),
    ...(wrongPoints !== undefined && { score: wrongPoints }),
    ...(grade.trim() === '' && { grade: REQUIRED }),
  };
};

export const isWrong = (wrong: WrongFinalInput): boolean => Object.keys(wrong).length > 0;

/** Somebody has decided otherwise about a student since `seen`. */
export const isDecisionOvertaken = (seen: Decided, now: Decided): boolean =>
  seen.exempt !== now.exempt ||
  (['ranking', 'score', 'grade'] as const).some((part) => (seen.decided ?? NONE)[part] !== (now.decided ?? NONE)[part]);

/**
 * What is decided by hand about a student: only what differs from what is computed. `seen`: the student as they were when the typing began. What
 * cannot be stored is left as it was computed: it is not asked for of somebody who is exempt or has left.
 */
export const decisionOf = (student: Figures & { readonly studentId: string }, typed: FinalInput, seen: Decided = student) => {
  const { computed, studentId } = student;
  const wrong = wrongIn({ ...typed, exempt: false }, false);
  const ranking = wrong.ranking === undefined ? typedNumber(typed.ranking) : null;
  const score = wrong.score === undefined ? typedDecimal(typed.score) : null;
  const grade = typed.grade.trim() === '' ? null : typed.grade.trim();
  const was = seen.decided ?? NONE;
  return {
    studentId,
    ranking: ranking === computed.ranking ? null : ranking,
    score: score === computed.score ? null : score,
    grade: grade === computed.grade ? null : grade,
    exempt: typed.exempt,
    was: { ranking: was.ranking, score: was.score, grade: was.grade, exempt: seen.exempt },
  };
};

/** What is decided once `sent` is stored, which is how the fields read then. */
export const seenAfter = (student: Figures & Pick<RankedStudent, 'studentId' | 'name'>, sent: FinalInput): FinalSeen => {
  const { ranking, score, grade, exempt } = decisionOf(student, sent);
  return { name: student.name, exempt, decided: { ranking, score, grade }, input: sent };
};

/** Nothing of it is left to be stored. */
export const isStored = ({ value, saw }: FinalDraft): boolean => isSameFinalInput({ ...saw.input, ...value }, saw.input);

/** The grade of a rank that is given by hand, by the boundaries that were allocated: to everybody who got a grade then. */
export const gradeForRank = ({ grades, students }: Pick<TaskRanking, 'grades' | 'students'>, ranking: string): string | undefined => {
  const ranked = students.filter(({ computed }) => computed.grade !== null).length;
  const typed = typedNumber(ranking);
  return grades && wrongCount(typed) === undefined ? gradeOf(grades.shares, ranked, Math.min(typed, ranked)) : undefined;
};

/**
 * What follows for the grade when a rank is typed, digit by digit. Only one that nobody has typed or stored follows: it is blank, or the one of
 * the rank as it read before. undefined: it stays as it is.
 */
export const gradeAfterRank = (
  ranking: Pick<TaskRanking, 'grades' | 'students'>,
  stored: RankedStudent['grade'],
  before: Pick<FinalInput, 'ranking' | 'grade'>,
  rank: string,
): string | undefined => {
  const follows = stored === null && (before.grade === '' || before.grade === gradeForRank(ranking, before.ranking));
  return follows ? (gradeForRank(ranking, rank) ?? '') : undefined;
};
