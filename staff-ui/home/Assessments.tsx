import type { Markbook } from '#api/marks/marks.contract';
import type { TargetOrder } from '#api/analysis/targets.formula';
import { openBeside } from '#api/contract/flags';
import { dateText } from '#api/contract/dates';
import type { Structure } from '#api/school/school.contract';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { Chips } from '../../ui/controls/Chips.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { AverageFigure } from '../analysis/class/AverageFigure.tsx';
import { Targets } from '../analysis/class/Targets.tsx';
import type { Completed } from '../analysis/class/useClassHome.ts';
import { useClassHome } from '../analysis/class/useClassHome.ts';
import { useExplain } from '../analysis/figures/Explanations.tsx';
import { OpenFlag } from '../analysis/figures/OpenFlag.tsx';
import { StudentReports } from '../analysis/reports/StudentReports.tsx';
import { useMoment } from '../as-of/useMoment.ts';
import { count, counted, difference, oneDecimal } from '../format.ts';
import { Spread } from '../marks/markbook/means/Spread.tsx';
import { showsClass, useMarkbook } from '../queries.ts';
import { useArea } from '../shell/area.ts';
import type { SchoolSet, YearGroup } from '../shell/place.ts';
import { usePlace } from '../shell/place.ts';
import { useJustChanged } from '../shell/useJustChanged.ts';
import { TrackerButton } from '../marks/tracker/TrackerButton.tsx';
import { useRevisionLists } from '../shell/revision-lists.ts';
import { useUploadDialogs } from '../marks/upload/request.ts';
import styles from './Assessments.module.css';
import { setsSitting, assessmentFigures } from './class-figures.ts';

type AssessmentsProps = { readonly structure: Structure; readonly yearGroup: YearGroup; readonly set: SchoolSet | undefined };

/** How the class (or the whole year group) is doing in each assessment; of one class, where it is strong and weak. */
export const Assessments = ({ structure, yearGroup, set }: AssessmentsProps) => {
  const shown = set ? [set] : yearGroup.sets;
  const only = shown.length === 1 ? shown[0]?.setId : undefined;
  const markbook = useMarkbook(yearGroup.yearGroupId, only);
  const home = useClassHome(only);
  const { search, change } = usePlace(structure);
  const [isAll, setAll] = useState(false);
  const order = search.get('compare') === 'class' ? 'percentage' : 'comparison';
  const book = markbook.data && showsClass(markbook.data, only) ? markbook.data : undefined;
  const sat = book ? satBy(book, shown, home.data?.completed ?? []) : [];
  return (
    <Section
      title="Assessments"
      aside={
        home.data &&
        home.data.completed.length > 0 && (
          <Chips
            label="Compare with"
            items={COMPARE}
            chosen={order}
            onChoose={(chosen) => change({ compare: chosen === 'percentage' ? 'class' : undefined })}
            oneLine
          />
        )
      }
    >
      {markbook.error && <Failure error={markbook.error} retry={() => void markbook.refetch()} />}
      {home.error && !home.data && <Failure error={home.error} retry={() => void home.refetch()} />}
      {!book && !markbook.error && <Skeleton rows={3} label="Loading assessments" />}
      {book &&
        (sat.length > 0 ? (
          <>
            <List markbook={book} sat={isAll ? sat : sat.slice(0, MOST)} shown={shown.length} setId={only} order={order} />
            {sat.length > MOST && !isAll && (
              <Button look="plain" onClick={() => setAll(true)}>
                Show all {sat.length} assessments
              </Button>
            )}
          </>
        ) : (
          <EmptyState title="No assessments yet">
            {structure.tests.length === 0
              ? 'An assessment with its questions is made by an admin of your school; then its totals and marks can be uploaded here.'
              : 'No assessment is chosen for these classes yet.'}
          </EmptyState>
        ))}
    </Section>
  );
};

/** So many are shown at first. */
const MOST = 8;

const COMPARE = [
  { id: 'comparison', name: 'All students' },
  { id: 'percentage', name: 'Class only' },
];

const enteredText = (entered: number, students: number): string => {
  if (students === 0) return 'Nobody is here yet';
  if (entered < students) return `${count(entered)} of ${counted(students, 'student')} ${students === 1 ? 'has' : 'have'} a total`;
  return students === 1 ? 'The student has a total' : `All ${counted(students, 'student')} have a total`;
};

type Sat = {
  readonly test: Markbook['tests'][number];
  readonly column: number;
  readonly sets: readonly SchoolSet[];
  /** Of one class, where somebody has a total. */
  readonly figures: Completed | undefined;
};

/** The assessments that any of the classes sits, and which of them do; first those that one class has completed, the newest first. */
const satBy = (markbook: Markbook, shown: readonly SchoolSet[], completed: readonly Completed[]): readonly Sat[] => {
  const places = new Map(completed.map(({ testId }, place) => [testId, place]));
  return markbook.tests
    .map((test, column) => ({
      test,
      column,
      sets: setsSitting(markbook, column, shown),
      figures: completed[places.get(test.testId) ?? -1],
    }))
    .filter(({ sets }) => sets.length > 0)
    .toSorted((a, b) => (places.get(a.test.testId) ?? Infinity) - (places.get(b.test.testId) ?? Infinity) || a.column - b.column);
};

type ListProps = {
  readonly markbook: Markbook;
  readonly sat: readonly Sat[];
  /** How many classes the page is about. */
  readonly shown: number;
  /** The class, where it is one. */
  readonly setId: string | undefined;
  readonly order: TargetOrder;
};

const List = ({ markbook, sat, shown, setId, order }: ListProps) => {
  const { open, mayUpload } = useUploadDialogs();
  const openLists = useRevisionLists();
  const { asOf } = useMoment();
  return (
    <ul className={styles.list}>
      {sat.map(({ test, column, sets, figures }) => {
        const ofSet = sets.length === 1 && sets[0] ? { setId: sets[0].setId } : {};
        const { entered, students, mean, contested, firstContested, totals } = assessmentFigures(
          markbook,
          column,
          new Set(sets.map(({ setId }) => setId)),
        );
        return (
          <li key={test.testId} className={styles.assessment}>
            <h3>{test.name}</h3>
            <p className={styles.entered}>
              {test.max === null ? 'No questions yet: add them first' : enteredText(entered, students)}
              {figures && figures.day !== null && ` · sat on ${dateText(figures.day)}`}
              {firstContested !== undefined && (
                <>
                  {' · '}
                  <ToContested test={test} studentId={firstContested}>
                    {counted(contested, 'total')} with several values
                  </ToContested>
                </>
              )}
            </p>
            <p className={styles.mean}>
              {mean === null || test.max === null ? (
                <span className={styles.none}>No mean yet</span>
              ) : (
                <>
                  <span className={styles.figure}>{oneDecimal(mean)}</span> of {test.max}
                  {shown < markbook.sets.length && test.mean !== null ? (
                    <span className={styles.against}>
                      {entered === test.count
                        ? 'nobody else of the year has a total'
                        : `${difference(mean - test.mean)} against the year’s ${oneDecimal(test.mean)}${openBeside(test.open)}`}
                    </span>
                  ) : (
                    test.sd !== null && (
                      <span className={styles.against}>
                        mean, SD {oneDecimal(test.sd)}
                        {openBeside(test.open)}
                      </span>
                    )
                  )}
                </>
              )}
            </p>
            {figures && setId !== undefined && <OfClass figures={figures} setId={setId} students={students} order={order} />}
            <div className={styles.spread}>{totals.length > 0 && <Spread test={test} totals={totals} />}</div>
            {test.max !== null && (
              <div className={styles.acts}>
                {mayUpload && (
                  <>
                    <Button
                      look="plain"
                      onClick={() => open({ kind: 'totals', testId: test.testId, ...ofSet })}
                      aria-label={`Upload totals of ${test.name}`}
                    >
                      Upload totals
                    </Button>
                    <Button
                      look="plain"
                      aria-label={`Enter marks of ${test.name}`}
                      onClick={() => open({ kind: 'results', by: 'hand', testId: test.testId, ...ofSet })}
                    >
                      Enter marks
                    </Button>
                    <Button
                      look="plain"
                      aria-label={`Upload question marks of ${test.name}`}
                      onClick={() => open({ kind: 'results', testId: test.testId, ...ofSet })}
                    >
                      Upload question marks
                    </Button>
                  </>
                )}
                <ToTest page="questions" test={test}>
                  Question analysis
                </ToTest>
                {asOf !== undefined && setId !== undefined && (
                  <ToTest page="marks" test={test}>
                    Question marks
                  </ToTest>
                )}
                <TrackerButton look="plain" test={test} sets={sets} />
                {sets.length === 1 && sets[0] && entered > 0 && (
                  <StudentReports
                    kind="feedback"
                    look="plain"
                    test={test}
                    setId={sets[0].setId}
                    yearGroupId={markbook.yearGroupId}
                    name={sets[0].name}
                  />
                )}
                <Button look="plain" aria-label={`Revision list of ${test.name}`} onClick={() => openLists({ testId: test.testId })}>
                  Revision list
                </Button>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
};

type OfClassProps = { readonly figures: Completed; readonly setId: string; readonly students: number; readonly order: TargetOrder };

/** The mean of the class in per cent beside that of all students, and its strengths and weaknesses. */
const OfClass = ({ figures, setId, students, order }: OfClassProps) => {
  const { testId, name, average, all } = figures;
  const explain = useExplain();
  const isNew = useJustChanged(`${average.mean} ${average.n}`);
  const act = () =>
    explain({
      id: `average ${testId}`,
      title: `Mean in ${name} – how it came about`,
      body: <AverageFigure setId={setId} testId={testId} />,
    });
  return (
    <div className={styles.figures}>
      {average.mean !== null && (
        <p>
          <button type="button" className={styles.percent} data-changed={isNew || undefined} title="How it came about" onClick={act}>
            Class mean <b>{oneDecimal(average.mean)} %</b>
            {average.sd !== null && `, SD ${oneDecimal(average.sd)}`}
            {order === 'comparison' && all.mean !== null && (
              <>
                {' '}
                ·{' '}
                {average.n === all.n
                  ? 'all students with a total are of this class'
                  : `all ${counted(all.n, 'student')} ${oneDecimal(all.mean)} % (${difference(average.mean - all.mean)})${openBeside(all.open)}`}
              </>
            )}
          </button>
          <OpenFlag open={average.open} of={name} onDecide={act} />
        </p>
      )}
      <Targets test={figures} setId={setId} students={students} order={order} />
    </div>
  );
};

type ToContestedProps = { readonly test: { readonly testId: string }; readonly studentId: string; readonly children: ReactNode };

/** The markbook with those of the same classes whose total is contested, and the first of them open, to be decided. */
const ToContested = ({ test: { testId }, studentId, children }: ToContestedProps) => {
  const area = useArea();
  const query = new URLSearchParams(useSearch());
  query.set('only', `contested.${testId}`);
  query.set('cell', `${studentId}.${testId}`);
  query.delete('compare');
  return (
    <Link className={styles.contested} to={`${area}/markbook?${query.toString()}`}>
      {children}
    </Link>
  );
};

type ToTestProps = {
  readonly page: 'questions' | 'marks';
  readonly test: { readonly testId: string; readonly name: string };
  readonly children: string;
};

/** A page about an assessment, of the same class and moment. */
const ToTest = ({ page, test: { testId, name }, children }: ToTestProps) => {
  const area = useArea();
  const query = new URLSearchParams(useSearch());
  query.set('test', testId);
  query.delete('compare');
  return (
    <Link className={buttonClass('plain')} to={`${area}/${page}?${query.toString()}`} aria-label={`${children} of ${name}`}>
      {children}
    </Link>
  );
};
