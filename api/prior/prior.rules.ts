/** Plans what scores would change. The preview and the command use the same function, so that they cannot disagree. */
import type { Refused } from '../common/command.ts';
import { refuse } from '../common/command.ts';
import type { InputError } from '../contract/problem.ts';
import { admissionKey } from '../students/students.facts.ts';
import type { PriorChange, PriorFile } from './prior.contract.ts';
import { isSameScore } from './prior-score.contract.ts';
import type { PriorFacts, PriorStudent } from './prior.facts.ts';

export const NO_EXAM = 'There is no such terminal exam.';

export type Score = { readonly score: string; readonly yearCompleted: number };
export type PlannedScore = {
  readonly student: PriorStudent;
  readonly score: string;
  /** what the author saw; undefined: there is no such check */
  readonly was: string | null | undefined;
};
export type PriorPlan = { readonly scores: readonly PlannedScore[]; readonly unmatched: readonly { admissionNo: string; name: string }[] };

/** Matches the file's rows to students; those who cannot be found are left out. */
export const planFile = ({ rows }: Pick<PriorFile, 'rows'>, facts: PriorFacts): PriorPlan | Refused => {
  const places = Map.groupBy(rows.keys(), (row) => admissionKey(rows[row]?.admissionNo ?? ''));
  const repeated = [...places.values()].filter((same) => same.length > 1).flat();
  if (repeated.length > 0)
    return refuse(
      'invalid-input',
      'A student is listed more than once. Each student may have one row.',
      repeated.map((row) => listed(row, rows[row])),
    );
  const scores: PlannedScore[] = [];
  const unmatched: { admissionNo: string; name: string }[] = [];
  for (const { admissionNo, name, score, was } of rows) {
    const student = facts.byAdmissionKey.get(admissionKey(admissionNo));
    if (student) scores.push({ student, score, was });
    else unmatched.push({ admissionNo, name });
  }
  return { scores, unmatched };
};

const listed = (
  row: number,
  { admissionNo = '', name = '' }: { readonly admissionNo?: string; readonly name?: string } = {},
): InputError => ({
  path: `rows.${row}.admissionNo`,
  message: `${name} (${admissionNo})`,
});

/** What a score would change, compared with the one that counts now. */
export const changeOf = (score: string, yearCompleted: number, now: Score | undefined): PriorChange => {
  if (!now) return 'new';
  if (now.yearCompleted > yearCompleted) return 'earlier';
  return isSameScore(now.score, score) && now.yearCompleted === yearCompleted ? 'equal' : 'replaced';
};
