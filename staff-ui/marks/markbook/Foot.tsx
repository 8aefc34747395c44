import { openText } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import { Link, useSearch } from 'wouter';
import { count, oneDecimal, counted } from '../../format.ts';
import { useArea } from '../../shell/area.ts';
import styles from './MarkbookTable.module.css';
import { SpreadOf, studentsIn } from './means/Spread.tsx';
import type { useView } from './useView.ts';
import type { Column, MarkbookTest, View } from './view.ts';
import counts from './BandCounts.module.css';
import type { Band, Spread } from '#api/marks/markbook-view.formula';
import { bandOf, bands } from '#api/marks/markbook-view.formula';

type FootProps = {
  readonly tests: readonly MarkbookTest[];
  readonly columns: readonly Column[];
  /** The scores of the year group; undefined: nobody is ranked. */
  readonly scores: Markbook['scores'];
  /** Of the totals shown, by test. */
  readonly spread: readonly Spread[];
  readonly only: View['only'];
  readonly filter: ReturnType<typeof useView>['filter'];
  /** Without what leads elsewhere, and without the distribution. */
  readonly isBrief: boolean;
};

/**
 * Below each test: mean and deviation of the year group, and the distribution of the totals shown. The count of a band filters the table
 * by it.
 */
export const Foot = ({ tests, columns, scores, spread, only, filter, isBrief }: FootProps) => (
  <tfoot>
    <Row
      label="Mean"
      columns={columns}
      tests={tests}
      score={scores?.mean}
      of={({ mean, max }) => (mean === null ? '' : `${oneDecimal(mean)} of ${max}`)}
    />
    <Row label="SD" columns={columns} tests={tests} score={scores?.sd} of={({ sd }) => (sd === null ? '' : oneDecimal(sd))} />
    {tests.some(({ open }) => open) && <Row label="Not settled" columns={columns} tests={tests} of={({ open }) => openText(open)} />}
    <Row label="Totals" columns={columns} tests={tests} of={(test) => (test.count === 0 ? '' : count(test.count))} />
    {!isBrief && (
      <>
        <tr>
          <th scope="row" colSpan={2} className={styles.name}>
            Spread
          </th>
          <NoResults columns={columns} />
          {tests.map((test, column) => (
            <td key={test.testId} className={styles.spread}>
              <SpreadOf test={test} totals={spread[column]?.totals ?? []} />
              <BandCounts test={test} spread={spread[column]} only={only} filter={filter} />
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row" colSpan={2} className={styles.name}>
            Questions
          </th>
          <NoResults columns={columns} />
          {tests.map((test) => (
            <td key={test.testId} className={`figure ${styles.figure}`}>
              {test.max !== null && <ToQuestions test={test} />}
            </td>
          ))}
        </tr>
      </>
    )}
  </tfoot>
);

/** How the questions of an assessment worked, in the class or year group that the markbook shows. */
const ToQuestions = ({ test: { testId, name } }: { readonly test: MarkbookTest }) => {
  const area = useArea();
  const before = new URLSearchParams(useSearch());
  const query = new URLSearchParams([...before].filter(([part]) => part === 'year' || part === 'set' || part === 'asOf'));
  query.set('test', testId);
  return (
    <Link to={`${area}/questions?${query.toString()}`} aria-label={`Question analysis of ${name}`}>
      Analysis
    </Link>
  );
};

type RowProps = {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly tests: readonly MarkbookTest[];
  readonly score?: number | null | undefined;
  readonly of: (test: MarkbookTest) => string | number;
};

const Row = ({ label, columns, tests, score, of }: RowProps) => (
  <tr>
    <th scope="row" colSpan={2} className={styles.name}>
      {label}
    </th>
    <NoResults columns={columns} score={score ?? null} />
    {tests.map((test) => (
      <td key={test.testId} className={`figure ${styles.figure}`}>
        {of(test)}
      </td>
    ))}
  </tr>
);

const NoResults = ({ columns, score = null }: { readonly columns: readonly Column[]; readonly score?: number | null }) =>
  columns.map(({ of }) => (
    <td key={of} className={of === 'score' ? `figure ${styles.result} ${styles.figure}` : styles.result}>
      {of === 'score' && score !== null ? oneDecimal(score) : ''}
    </td>
  ));

type BandCountsProps = {
  readonly test: MarkbookTest;
  readonly spread: Spread | undefined;
  readonly only: View['only'];
  readonly filter: ReturnType<typeof useView>['filter'];
};

/** How many of the students are in each band of a test; each count filters the table by its band. */
const BandCounts = ({ test, spread, only, filter }: BandCountsProps) => {
  const chosen = only?.testId === test.testId ? only.what : undefined;
  const { totals = [], contested = 0 } = spread ?? {};
  const many = (band: Band) => studentsIn(totals.filter(({ total }) => bandOf(total, test) === band));
  const choose = (what: Band | 'contested') => filter({ only: chosen === what ? undefined : `${what}.${test.testId}` });
  if (test.count === 0) return null;
  return (
    <div className={`row gap-1 end ${counts.counts}`} role="group" aria-label={`Only one band of ${test.name}`}>
      {bands.toReversed().map((band) => (
        <button
          key={band}
          type="button"
          className="tiny"
          data-band={band}
          aria-pressed={chosen === band}
          onClick={() => choose(band)}
          title={`Only ${band}`}
          aria-label={`${counted(many(band), 'student')} ${band}`}
        >
          {many(band)}
        </button>
      ))}
      {(contested > 0 || chosen === 'contested') && (
        <button
          type="button"
          className={`tiny ${counts.contested}`}
          data-band="contested"
          aria-pressed={chosen === 'contested'}
          onClick={() => choose('contested')}
          title="Only with several values"
          aria-label={`${counted(contested, 'student')} with several values`}
        >
          {contested}
        </button>
      )}
    </div>
  );
};
