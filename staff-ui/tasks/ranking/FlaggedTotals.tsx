import { FLAGS } from '#api/contract/flags';
import type { NamedStudent } from '#api/contract/names';
import type { FlaggedTotal } from '#api/contract/total-flag';
import type { RankedStudent, TaskRanking } from '#api/tasks/ranking/task-ranking.contract';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../ui/controls/Button.tsx';
import { useStructure } from '../../queries.ts';
import { useArea } from '../../shell/area.ts';
import styles from '../Steps.module.css';

/** `test`: the name of the assessment. */
export type NamedFlag = FlaggedTotal & NamedStudent & { readonly test: string };

type FlaggedTotalsProps = { readonly yearGroupId: string; readonly totals: readonly NamedFlag[] };

const SHOWN = 8;

/** What is open about totals: who, in which assessment, and the way to the cell, where it can be decided or corrected. */
export const FlaggedTotals = ({ yearGroupId, totals }: FlaggedTotalsProps) => {
  const year = useStructure().data?.yearGroups.find((one) => one.yearGroupId === yearGroupId)?.year;
  const area = useArea();
  const [isAll, setAll] = useState(false);
  return (
    <>
      <ul className={styles.warnings}>
        {(isAll ? totals : totals.slice(0, SHOWN)).map(({ studentId, testId, flag, name, test }) => (
          <li key={`${studentId} ${testId} ${flag}`}>
            <Link to={`${area}/markbook?${new URLSearchParams({ year: String(year ?? ''), cell: `${studentId}.${testId}` })}`}>
              {name ?? 'Forgotten student'}, {test}
            </Link>
            : {FLAGS[flag].text}
          </li>
        ))}
      </ul>
      {totals.length > SHOWN && !isAll && (
        <Button look="plain" onClick={() => setAll(true)}>
          Show all {totals.length}
        </Button>
      )}
    </>
  );
};

/** What is open about totals of ranked students, with names. */
export const flagsOf = ({ ranking }: Pick<TaskRanking, 'ranking'>, students: readonly RankedStudent[]): readonly NamedFlag[] => {
  const names = new Map(ranking?.norms.tests.map(({ testId, name }) => [testId, name]));
  return students.flatMap(({ studentId, name, admissionNo, totalFlags }) =>
    totalFlags.map(({ testId, flag }) => ({ studentId, name, admissionNo, testId, flag, test: names.get(testId) ?? '' })),
  );
};

/** What is open about a student's totals, and whether they have left, as words beside the name. */
export const FlagTags = ({ totalFlags, left = false }: Pick<RankedStudent, 'totalFlags'> & { readonly left?: boolean }) =>
  [...(left ? (['left'] as const) : []), ...new Set(totalFlags.map(({ flag }) => flag))].map((flag) => (
    <span key={flag} className={styles.tag}>
      {FLAGS[flag].short}
    </span>
  ));
