import type { Replay, ReplayRanking } from '#api/history/replay/replay.contract';
import type { ReplayState } from '#api/history/replay/replay.formula';
import type { Voided } from '#api/history/replay/what-if.formula';
import { whatIf } from '#api/history/replay/what-if.formula';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Field } from '../../../ui/controls/Field.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { useArea } from '../../shell/area.ts';
import { useStructure } from '../../queries.ts';
import { placeQuery, usePlace } from '../../shell/place.ts';
import { triedQuery } from '../../shell/tried.ts';
import { studentName } from './replay-words.ts';
import { VoidedQuestion } from './VoidedQuestion.tsx';
import styles from './Replay.module.css';

type WhatIfProps = {
  readonly replay: Replay;
  readonly state: ReplayState;
  readonly ranking: ReplayRanking;
  /** It is the ranking of now, and whoever looks may make a new one. */
  readonly mayAdopt: boolean;
  /** The moment that is shown; undefined: now */
  readonly asOf: string | undefined;
};

/** What ranks and grades would be at the moment that is shown: without some of the tests or a question, with other shares. Only shown. */
export const WhatIf = ({ replay, state, ranking, mayAdopt, asOf }: WhatIfProps) => {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [typed, setTyped] = useState<readonly string[]>(() => ranking.shares.map(({ percent }) => String(percent)));
  const [chosen, setChosen] = useState<{ readonly asOf: string | undefined; readonly voided: Voided | undefined }>();
  // Its marks are those of one moment.
  const voided = chosen && chosen.asOf === asOf ? chosen.voided : undefined;
  const [most, setMost] = useState(FEW);
  const tests = ranking.tests.map(([test]) => test).filter((test) => !left.has(test));
  const shares = ranking.shares.map(({ label }, at) => ({
    label,
    percent: /^\d{1,3}$/u.test(typed[at] ?? '') ? Number(typed[at]) : Number.NaN,
  }));
  const sum = shares.reduce((all, { percent }) => all + percent, 0);
  const isWhole = shares.length === 0 || sum === 100;
  const rows = useMemo(
    () => (isWhole && tests.length > 0 ? whatIf(replay, state, ranking, { tests, shares, voided }) : undefined),
    // oxlint-disable-next-line react/exhaustive-deps -- `tests` and `shares` follow from what was chosen
    [replay, state, ranking, left, typed, isWhole, voided],
  );
  const ranked = rows?.filter(({ before, after }) => before.ranking !== after.ranking).length ?? 0;
  const graded = rows?.filter(({ before, after }) => before.grade !== after.grade).length ?? 0;
  const hasGrades = shares.length > 0;
  const tried = triedQuery(ranking.taskId, { testIds: tests.flatMap((test) => replay.tests[test] ?? []), shares: shares });
  // Teachers read the question marks of their own classes, not those of the year.
  const readsAll = useArea() === '/leader';
  const { yearGroup } = usePlace(useStructure().data);
  return (
    <section className={`stack own-width gap-3 ${styles.moved}`} aria-label="What if">
      <p>Ranked again from the totals of this moment. None of it is stored.</p>
      <fieldset className={`row gap-4 ${styles.choice}`}>
        <legend className="tiny muted">Tests that count</legend>
        {ranking.tests.map(([test]) => (
          <label key={test}>
            <input
              type="checkbox"
              checked={!left.has(test)}
              onChange={({ target }) => {
                setChosen(undefined);
                setLeft(new Set(target.checked ? [...left].filter((one) => one !== test) : [...left, test]));
              }}
            />{' '}
            {state.tests.get(test)?.name ?? 'A deleted assessment'}
          </label>
        ))}
      </fieldset>
      {readsAll && (
        <div className={`row gap-4 ${styles.choice}`}>
          <VoidedQuestion
            key={`${asOf} ${tests.join(' ')}`}
            replay={replay}
            state={state}
            tests={tests}
            asOf={asOf}
            choose={(to) => setChosen({ asOf, voided: to })}
          />
        </div>
      )}
      {hasGrades && (
        <fieldset className={`row gap-4 ${styles.choice}`}>
          <legend className="tiny muted">Students who get each grade, in percent</legend>
          {shares.map(({ label }, at) => (
            <Field
              key={label}
              label={label}
              inputMode="numeric"
              size={3}
              value={typed[at] ?? ''}
              onChange={({ target }) => setTyped(typed.map((one, place) => (place === at ? target.value : one)))}
            />
          ))}
        </fieldset>
      )}
      <p role="status">
        {rows
          ? `${ranked} of ${rows.length} students would have another rank${hasGrades ? `, ${graded} another grade` : ''}.`
          : tests.length === 0
            ? 'Choose at least one test.'
            : 'The percentages must be whole numbers that add up to 100.'}
      </p>
      {mayAdopt && rows && yearGroup && !voided && (
        <p>
          <Link className={buttonClass()} to={`/leader${placeQuery(yearGroup, undefined)}&${tried}`}>
            Take it to the feedback task
          </Link>{' '}
          The task ranks again by these tests{hasGrades && ', with these grades'}, and first shows what would change.
        </p>
      )}
      {rows && (
        <Table label="Ranks that would be" isList cardsBelow={600}>
          <thead>
            <tr>
              <th scope="col">Student</th>
              <th scope="col" className="figure">
                Rank
              </th>
              <th scope="col" className="figure">
                Would be
              </th>
              <th scope="col" className="figure">
                Score
              </th>
              <th scope="col" className="figure">
                Would be
              </th>
              {hasGrades && (
                <>
                  <th scope="col" className="figure">
                    Grade
                  </th>
                  <th scope="col" className="figure">
                    Would be
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map(({ student, before, after }) => (
              <tr key={student}>
                <th scope="row">{studentName(replay, student)}</th>
                <td className="figure" data-label="Rank">
                  {before.ranking}
                </td>
                <Would is={after.ranking} was={before.ranking} />
                <td className="figure" data-label="Score">
                  {before.score?.toFixed(2)}
                </td>
                <Would is={after.score?.toFixed(2) ?? null} was={before.score?.toFixed(2) ?? null} />
                {hasGrades && (
                  <>
                    <td className="figure" data-label="Grade">
                      {before.grade}
                    </td>
                    <Would is={after.grade} was={before.grade} />
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {rows && rows.length > most && <Button onClick={() => setMost(most + FEW)}>Show more ({rows.length - most} left)</Button>}
    </section>
  );
};
const FEW = 50;

const Would = ({ is, was }: { readonly is: string | number | null; readonly was: string | number | null }) => (
  <td className="figure" data-label="Would be">
    {is === was ? is : <strong>{is ?? 'none'}</strong>}
  </td>
);
