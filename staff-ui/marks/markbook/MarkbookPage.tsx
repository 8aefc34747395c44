import { studentsToldApart } from '#api/contract/names';
import { isLargeYear, MOST_AT_ONCE } from '#api/contract/openings';
import type { Markbook } from '#api/marks/marks.contract';
import type { ComponentType } from 'react';
import { Suspense, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { isRefused } from '../../../ui/api/failure.ts';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { lastPage, PAGE_ROWS, Pager } from '../../../ui/table/Pager.tsx';
import { count as number } from '../../format.ts';
import { MomentPage } from '../../shell/MomentPage.tsx';
import { NothingYet } from '../../shell/NothingYet.tsx';
import { useMoment } from '../../moment.ts';
import { showsClass, useMarkbook, useStructure } from '../../queries.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import { useArea } from '../../shell/area.ts';
import { NoSubject } from '../../shell/NoSubject.tsx';
import type { YearGroup } from '../../shell/place.ts';
import { placeQuery, usePlace } from '../../shell/place.ts';
import { useClassGone } from '../../shell/useClassGone.ts';
import { useMedia } from '../../../ui/controls/useMedia.ts';
import { useUploadDialogs } from '../upload/request.ts';
import { CellDialog } from './cell/CellDialog.tsx';
import { AboutBeside, Legend } from './Legend.tsx';
import styles from './MarkbookPage.module.css';
import { MarkbookTable } from './MarkbookTable.tsx';
import { PaperBook, useIsPrinting } from './PaperBook.tsx';
import { RankingOf, ReplayLink, Toolbar } from './Toolbar.tsx';
import { useBeside } from './beside.ts';
import { idIn, rowsIn, useView } from './useView.ts';
import { SetMeans } from './means/SetMeans.tsx';
import type { MarkbookStudent, OpenCell, View } from './view.ts';
import { columnsOf, studentsOf } from './view.ts';

type MarkbookPageProps = {
  /** How a score came about: a dialog. */
  readonly Explanation: ComponentType<{
    readonly taskId: string;
    readonly student: MarkbookStudent;
    readonly open: boolean;
    readonly onClose: () => void;
  }>;
};

/** The totals of a year group, or of one of its classes, one column per test; updated live. */
export const MarkbookPage = ({ Explanation }: MarkbookPageProps) => {
  const { subject } = useSession();
  const structure = useStructure();
  const { yearGroup, set, search } = usePlace(structure.data);
  useClassGone(structure.data, set);
  const isLarge = yearGroup !== undefined && isLargeYear(yearGroup.sets);
  const markbook = useMarkbook(yearGroup?.yearGroupId, set?.setId, idIn(search.get('ranking')), isLarge ? rowsIn(search) : undefined);
  const { asOf } = useMoment();
  const isPhone = useMedia(PHONE);
  const isPrinting = useIsPrinting();
  if (!subject) return <NoSubject title="Markbook" />;
  const failed = structure.error ?? markbook.error;
  const isOlder = asOf !== undefined && isRefused(failed, 'not-found');
  const empty =
    structure.data && (!yearGroup || (markbook.data && (hasNobody(markbook.data, yearGroup) || markbook.data.tests.length === 0)));
  const ranked = (!isPhone || isPrinting) && !empty && markbook.data?.ranked ? markbook.data : undefined;
  return (
    <MomentPage
      title={yearGroup ? `Year ${yearGroup.year} – Markbook` : 'Markbook'}
      sub={
        <div className="row gap-4">
          {(!ranked || isPrinting) && subject.name} {ranked && <RankingOf markbook={ranked} />}
        </div>
      }
      actions={<Actions query={placeQuery(yearGroup, set)} />}
    >
      {isOlder && <NothingYet />}
      {failed && !isOlder && <Failure error={failed} retry={() => void (structure.error ? structure : markbook).refetch()} />}
      {!failed && !empty && !markbook.data && <Skeleton rows={12} label="Loading the markbook" />}
      {!failed && empty && <NoMarks hasStudents={markbook.data && yearGroup && !hasNobody(markbook.data, yearGroup)} />}
      {!failed && !empty && markbook.data && <Book markbook={markbook.data} Explanation={Explanation} />}
    </MomentPage>
  );
};

/** Nobody in any class: of one that has nobody, the markbook has no students either. */
const hasNobody = ({ setId, rows, students }: Markbook, { sets }: YearGroup): boolean =>
  students.length === 0 && !rows && (setId === undefined || sets.every((set) => set.students === 0));

const Actions = ({ query }: { readonly query: string }) => {
  const area = useArea();
  const isPhone = useMedia(PHONE);
  return (
    <>
      <Link className={buttonClass()} to={area + query}>
        Back to dashboard
      </Link>
      {!isPhone && <ReplayLink />}
      <UploadTotals />
    </>
  );
};

const UploadTotals = () => {
  const { open, mayUpload } = useUploadDialogs();
  return (
    mayUpload && (
      <Button look="primary" onClick={() => open({ kind: 'totals' })}>
        Upload totals
      </Button>
    )
  );
};

const Book = ({ markbook: answer, Explanation }: MarkbookPageProps & { readonly markbook: Markbook }) => {
  const markbook = useMemo(() => studentsToldApart(answer), [answer]);
  const structure = useStructure();
  const place = usePlace(structure.data);
  const beside = useBeside(markbook);
  const columns = columnsOf(beside.isShown);
  const { view, page, sortBy, filter, goTo } = useView(markbook, place, columns);
  const [cell, setCell] = useState(() => cellIn(markbook, place.search.get('cell')));
  const [explained, setExplained] = useState<{ readonly student: MarkbookStudent; readonly isOpen: boolean }>();
  const isWide = useMedia(WIDE);
  const isPhone = useMedia(PHONE);
  const isPrinting = useIsPrinting();
  const isLarge = place.yearGroup !== undefined && isLargeYear(place.yearGroup.sets);
  const isComing = !showsClass(markbook, view.setId);
  const { rows } = markbook;
  const students = rows ? markbook.students : studentsOf(markbook, view, beside.figures);
  const count = rows?.of ?? students.length;
  const shownPage = Math.min(page, lastPage(count, PAGE_ROWS));
  const pager = <Pager of="students" page={shownPage} size={PAGE_ROWS} count={count} onPage={goTo} />;
  return (
    <>
      <Toolbar markbook={answer} view={view} filter={filter} beside={beside} isPhone={isPhone && !isPrinting} />
      {isPrinting && !isComing && <PaperBook markbook={markbook} students={students} columns={columns} beside={beside.figures} />}
      <div className={styles.book}>
        <div className={styles.main}>
          {isComing ? (
            <Skeleton rows={12} label="Loading the class" />
          ) : (
            <MarkbookTable
              markbook={markbook}
              students={rows ? students : students.slice(shownPage * PAGE_ROWS, (shownPage + 1) * PAGE_ROWS)}
              filtered={students}
              view={view}
              columns={columns}
              beside={beside.figures}
              sortBy={sortBy}
              filter={filter}
              open={setCell}
              explain={(student) => setExplained({ student, isOpen: true })}
              turnPage={(by) => goTo(Math.min(lastPage(count, PAGE_ROWS), Math.max(0, shownPage + by)))}
            />
          )}
          {students.length === 0 && !isComing && (
            <EmptyState
              title="No student matches"
              action={<Button onClick={() => filter({ set: undefined, find: '', only: undefined })}>Show everybody</Button>}
            >
              No student of the year group matches the filters.
            </EmptyState>
          )}
          <div className={`row gap-6 apart ${styles.foot}`}>
            {!isComing && pager}
            <Legend />
            {rows && (
              <p>
                This year group has more than {number(MOST_AT_ONCE)} students, so it is shown page by page: only the page that is shown is
                printed, but Excel has everybody. Choose a class to see the columns beside the residual; the means of so many classes are
                not drawn.
              </p>
            )}
            {beside.isShown && <AboutBeside answer={beside.answer} />}
          </div>
        </div>
        {isWide && !isLarge && markbook.tests.length <= FEW_TESTS && (
          <MeansOfYear yearGroupId={markbook.yearGroupId} view={view} onChoose={(set) => filter({ set })} />
        )}
      </div>
      {explained && (
        <Suspense fallback={null}>
          <Explanation
            taskId={markbook.ranked?.taskId ?? ''}
            student={explained.student}
            open={explained.isOpen}
            onClose={() => setExplained({ ...explained, isOpen: false })}
          />
        </Suspense>
      )}
      <CellDialog
        cell={cell}
        markbook={markbook}
        onClose={() => {
          setCell(undefined);
          if (place.search.has('cell')) place.change({ cell: undefined });
        }}
      />
    </>
  );
};

/** The cell that a link leads to (?cell=<student>.<test>); undefined: none, or one that is not here. */
const cellIn = ({ students, tests }: Markbook, text: string | null): OpenCell | undefined => {
  const [studentId, testId] = text?.split('.') ?? [];
  return studentId !== undefined &&
    testId !== undefined &&
    students.some((student) => student.studentId === studentId) &&
    tests.some((test) => test.testId === testId)
    ? { studentId, testId }
    : undefined;
};

/** With more tests than this the table is as wide as the page. */
const FEW_TESTS = 2;
/** On a narrower page there is no room beside the table. */
const WIDE = '(min-width: 1200px)';
const PHONE = '(max-width: 599px)';

type MeansOfYearProps = { readonly yearGroupId: string; readonly view: View; readonly onChoose: (set: string | undefined) => void };

/** Beside the students of one class, too. */
const MeansOfYear = ({ yearGroupId, view, onChoose }: MeansOfYearProps) => {
  const { data } = useMarkbook(yearGroupId);
  return (
    data &&
    showsClass(data, undefined) && <SetMeans markbook={data} column={columnOf(data, view)} chosen={view.setId} onChoose={onChoose} />
  );
};

/** The test in focus: the one that the table is sorted by, otherwise the first with totals. */
const columnOf = ({ tests }: Markbook, { sort }: View): number => {
  const sorted = tests.findIndex(({ testId }) => testId === sort);
  return sorted >= 0
    ? sorted
    : Math.max(
        0,
        tests.findIndex(({ count }) => count > 0),
      );
};

const NoMarks = ({ hasStudents = false }: { readonly hasStudents?: boolean | undefined }) => {
  const { asOf } = useMoment();
  if (asOf !== undefined) return <NothingYet />;
  return (
    <EmptyState title={hasStudents ? 'No assessments yet' : 'Nobody is in this year group yet'} action={hasStudents && <UploadTotals />}>
      {hasStudents
        ? 'The markbook shows the total of every student in every assessment. It has a column as soon as an assessment is chosen for a class.'
        : 'The markbook shows the total of every student in every assessment. It fills when an admin adds classes and students.'}
    </EmptyState>
  );
};
