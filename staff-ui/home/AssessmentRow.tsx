import { openBeside } from '#api/contract/flags';
import { dateText } from '#api/contract/dates';
import type { Dashboard } from '#api/analysis/tests.contract';
import type { TargetOrder } from '#api/analysis/targets.formula';
import type { Markbook } from '#api/marks/marks.contract';
import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { AverageFigure } from '../analysis/class/AverageFigure.tsx';
import { Targets } from '../analysis/class/Targets.tsx';
import type { Completed } from '../analysis/class/useClassHome.ts';
import { useExplain } from '../analysis/figures/Explanations.tsx';
import { Averages } from '../analysis/leader/Averages.tsx';
import { TopicMappings } from '../analysis/leader/TopicMappings.tsx';
import { OpenFlag } from '../analysis/figures/OpenFlag.tsx';
import { StudentReports } from '../analysis/reports/StudentReports.tsx';
import { useMoment } from '../moment.ts';
import { count, counted, difference, oneDecimal } from '../format.ts';
import { SpreadOf } from '../marks/markbook/means/Spread.tsx';
import { countsOf } from '#api/marks/markbook-view.formula';
import { TrackerButton } from '../marks/tracker/TrackerButton.tsx';
import { useUploadDialogs } from '../marks/upload/request.ts';
import { useArea } from '../shell/area.ts';
import type { SchoolSet, YearGroup } from '../shell/place.ts';
import { useRevisionLists } from '../shell/revision-lists.ts';
import { useJustChanged } from '../shell/useJustChanged.ts';
import styles from './Assessments.module.css';
import { assessmentFigures } from './class-figures.ts';
import { HistoryLink } from '../../ui/record/HistoryLink.tsx';

/** An assessment, and which of the classes sit it. */
export type Sat = {
  readonly test: Markbook['tests'][number];
  readonly column: number;
  readonly sets: readonly SchoolSet[];
  /** Of one class, where somebody has a total. */
  readonly figures: Completed | undefined;
};

type AssessmentRowProps = {
  readonly markbook: Markbook;
  readonly sat: Sat;
  /** The page is about some classes of the year group only. */
  readonly isPart: boolean;
  /** The class, where the page is about one. */
  readonly setId: string | undefined;
  readonly order: TargetOrder;
  /** Of the whole year group, for its leader. */
  readonly year: { readonly dashboard: Dashboard; readonly yearGroup: YearGroup } | undefined;
};

/** How the classes are doing in an assessment, and what can be done with it. */
export const AssessmentRow = ({ markbook, sat, isPart, setId, order, year }: AssessmentRowProps) => {
  const { test, column, sets, figures: ofSet } = sat;
  const figures = assessmentFigures(markbook, column, new Set(sets.map((set) => set.setId)));
  const ofYear = year?.dashboard.tests.find(({ testId }) => testId === test.testId);
  return (
    <li className={styles.assessment}>
      <h3>{test.name}</h3>
      <Entered test={test} figures={figures} day={ofSet ? ofSet.day : (ofYear?.day ?? null)} isLast={!ofSet} />
      <Mean test={test} figures={figures} isPart={isPart} />
      <div className={`stack gap-1 ${styles.figures}`}>
        {ofSet && setId !== undefined && <OfClass figures={ofSet} setId={setId} students={figures.students} order={order} />}
        {year && ofYear && <Averages test={ofYear} {...year} />}
      </div>
      <div className={styles.spread}>{figures.totals.length > 0 && <SpreadOf test={test} totals={countsOf(figures.totals)} />}</div>
      {test.max !== null && (
        <Actions
          test={test}
          sets={sets}
          yearGroupId={markbook.yearGroupId}
          subjectId={markbook.subject.subjectId}
          setId={setId}
          hasTotals={figures.entered > 0}
        />
      )}
    </li>
  );
};

type Figures = { readonly test: Sat['test']; readonly figures: ReturnType<typeof assessmentFigures> };

const Entered = ({ test, figures, day, isLast }: Figures & { readonly day: string | null; readonly isLast: boolean }) => (
  <p className={`small muted ${styles.entered}`}>
    {test.max === null ? 'No questions yet: add them first' : enteredText(figures.entered, figures.students)}
    {day !== null && ` · sat ${isLast ? 'last ' : ''}on ${dateText(day)}`}
    {figures.firstContested !== undefined && (
      <>
        {' · '}
        <ToContested test={test} studentId={figures.firstContested}>
          {counted(figures.contested, 'total')} with several values
        </ToContested>
      </>
    )}
  </p>
);

const enteredText = (entered: number, students: number): string => {
  if (students === 0) return 'Nobody is here yet';
  if (entered < students) return `${count(entered)} of ${counted(students, 'student')} ${students === 1 ? 'has' : 'have'} a total`;
  return students === 1 ? 'The student has a total' : `All ${counted(students, 'student')} have a total`;
};

/** The mean in marks, beside that of the year where the page is about some of its classes. */
const Mean = ({ test, figures: { mean, entered }, isPart }: Figures & { readonly isPart: boolean }) => {
  if (mean === null || test.max === null) return <p className={`small muted ${styles.mean}`}>No mean yet</p>;
  const ofYear =
    isPart && test.mean !== null
      ? entered === test.count
        ? 'nobody else of the year has a total'
        : `${difference(mean - test.mean)} against the year’s ${oneDecimal(test.mean)}${openBeside(test.open)}`
      : test.sd !== null && `mean, SD ${oneDecimal(test.sd)}${openBeside(test.open)}`;
  return (
    <p className={`muted ${styles.mean}`}>
      <b>{oneDecimal(mean)}</b> of {test.max}
      {ofYear && <span className={`small ${styles.against}`}>{ofYear}</span>}
    </p>
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
    <>
      {average.mean !== null && (
        <p>
          <button
            type="button"
            className={`pick small ${styles.percent}`}
            data-changed={isNew || undefined}
            title="How it came about"
            onClick={act}
          >
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
    </>
  );
};

type ActionsProps = {
  readonly test: Sat['test'];
  readonly sets: readonly SchoolSet[];
  readonly yearGroupId: string;
  readonly subjectId: string;
  readonly setId: string | undefined;
  readonly hasTotals: boolean;
};

const Actions = ({ test, sets, yearGroupId, subjectId, setId, hasTotals }: ActionsProps) => {
  const { open, mayUpload } = useUploadDialogs();
  const openLists = useRevisionLists();
  const { asOf } = useMoment();
  const { testId, name } = test;
  const only = sets.length === 1 ? sets[0] : undefined;
  const about = { testId, ...(only && { setId: only.setId }) };
  return (
    <div className={`row ${styles.acts}`}>
      {mayUpload && (
        <>
          <Act label="Upload totals" of={name} act={() => open({ kind: 'totals', ...about })} />
          <Act label="Enter question-level analysis" of={name} act={() => open({ kind: 'results', by: 'hand', ...about })} />
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
      {only && hasTotals && (
        <StudentReports kind="feedback" look="plain" test={test} setId={only.setId} yearGroupId={yearGroupId} name={only.name} />
      )}
      <TopicMappings test={test} subjectId={subjectId} />
      <Act label="Revision list" of={name} act={() => openLists({ testId })} />
      <HistoryLink of={{ id: testId, name }} />
    </div>
  );
};

const Act = ({ label, of, act }: { readonly label: string; readonly of: string; readonly act: () => void }) => (
  <Button look="plain" aria-label={`${label} of ${of}`} onClick={act}>
    {label}
  </Button>
);

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
