import { FLAGS } from '#api/contract/flags';
import type { NamedStudent } from '#api/contract/names';
import type { FlaggedTotal } from '#api/contract/total-flag';
import type { RankedStudent, TaskRanking } from '#api/tasks/ranking/task-ranking.contract';
import { Link } from 'wouter';
import { useStructure } from '../../queries.ts';
import { useArea } from '../../shell/area.ts';
import styles from '../Steps.module.css';
import { LongList } from './LongList.tsx';

/** `test`: the name of the assessment. */
export type NamedFlag = FlaggedTotal & NamedStudent & { readonly test: string };

type FlaggedTotalsProps = { readonly yearGroupId: string; readonly totals: readonly NamedFlag[] };

/** Totals that are contested or above the maximum, each with a link to its cell, where it can be decided or corrected. */
export const FlaggedTotals = ({ yearGroupId, totals }: FlaggedTotalsProps) => {
  const year = useStructure().data?.yearGroups.find((one) => one.yearGroupId === yearGroupId)?.year;
  const area = useArea();
  return (
    <LongList rows={totals}>
      {({ studentId, testId, flag, name, test }) => (
        <li key={`${studentId} ${testId} ${flag}`}>
          <Link to={`${area}/markbook?${new URLSearchParams({ year: String(year ?? ''), cell: `${studentId}.${testId}` })}`}>
            {name ?? 'Forgotten student'}, {test}
          </Link>
          : {FLAGS[flag].text}
        </li>
      )}
    </LongList>
  );
};

/** The flagged totals of ranked students, with names. */
export const flagsOf = ({ ranking }: Pick<TaskRanking, 'ranking'>, students: readonly RankedStudent[]): readonly NamedFlag[] => {
  const names = new Map(ranking?.norms.tests.map(({ testId, name }) => [testId, name]));
  return students.flatMap(({ studentId, name, admissionNo, totalFlags }) =>
    totalFlags.map(({ testId, flag }) => ({ studentId, name, admissionNo, testId, flag, test: names.get(testId) ?? '' })),
  );
};

/** Beside a name: whether the student has left, and how their totals are flagged. */
export const FlagTags = ({ totalFlags, left = false }: Pick<RankedStudent, 'totalFlags'> & { readonly left?: boolean }) =>
  [...(left ? (['left'] as const) : []), ...new Set(totalFlags.map(({ flag }) => flag))].map((flag) => (
    <span key={flag} className={styles.tag}>
      {FLAGS[flag].short}
    </span>
  ));
