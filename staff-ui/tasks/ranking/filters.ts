import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import { isFound } from '../../../ui/table/find.ts';

type Filtered = Pick<
  RankedStudent,
  'name' | 'admissionNo' | 'setId' | 'rankingFlag' | 'gradeFlag' | 'now' | 'totalFlags' | 'ranking' | 'exempt' | 'left'
>;

/** Which students of a ranking are shown. */
export type RankingFilter = {
  /** Words of a name or StudentID. */
  readonly find: string;
  /** '': of all classes */
  readonly setId: string;
  readonly only: Only;
};
export type Only = (typeof ONLY)[number]['only'];

export const EVERYBODY: RankingFilter = { find: '', setId: '', only: 'everybody' };

const ONLY = [
  { only: 'everybody', label: 'Everybody', is: () => true },
  { only: 'flagged', label: 'Flagged', is: ({ rankingFlag, gradeFlag }: Filtered) => rankingFlag || gradeFlag },
  { only: 'changed', label: 'Changed since', is: ({ now }: Filtered) => now?.changed === true },
  {
    only: 'contested',
    label: 'Contested',
    is: ({ totalFlags }: Filtered) => totalFlags.some(({ flag }) => flag !== 'above-maximum'),
  },
  { only: 'unranked', label: 'Unranked', is: ({ ranking, exempt, left }: Filtered) => ranking === null && !exempt && !left },
] as const;

/** The students that a filter lets through, in their order. */
export const filtered = <Student extends Filtered>(
  students: readonly Student[],
  { find, setId, only }: RankingFilter,
): readonly Student[] => {
  const { is } = ONLY.find((one) => one.only === only) ?? ONLY[0];
  return students.filter(
    (student) =>
      is(student) && (setId === '' || student.setId === setId) && isFound(`${student.name ?? ''} ${student.admissionNo ?? ''}`, find),
  );
};

/** The choices, each with how many students of the class it shows. */
export const choicesOf = (students: readonly Filtered[], filter: Pick<RankingFilter, 'setId'>) =>
  ONLY.map(({ only, label }) => ({ only, label, students: filtered(students, { ...EVERYBODY, setId: filter.setId, only }).length }));
