import type { PriorSummary } from '#api/prior/prior.contract';
import { Link } from 'wouter';
import { isRefused } from '../../ui/api/failure.ts';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { InHeader } from '../../ui/frame/header/InHeader.tsx';
import { ScrollBar } from '../../ui/frame/ScrollBar.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { leaving } from '../../ui/session/unsaved.ts';
import { MomentPage } from '../shell/MomentPage.tsx';
import { useMoment } from '../moment.ts';
import { useStructure } from '../queries.ts';
import { useArea } from '../shell/area.ts';
import { NoSubject } from '../shell/NoSubject.tsx';
import { placeQuery, usePlace } from '../shell/place.ts';
import { ExamScores } from './ExamScores.tsx';
import { Exams } from './Exams.tsx';
import { usePriorSummary } from './queries.ts';

/** Prior data: how much of a year group each terminal exam covers, and its scores, typed or from a file. */
export const PriorPage = () => {
  const { subject } = useSession();
  const structure = useStructure();
  const { yearGroup, search, change } = usePlace(structure.data);
  const summary = usePriorSummary(yearGroup?.yearGroupId);
  const { asOf } = useMoment();
  if (!subject) return <NoSubject title="Terminal Exams" />;
  const failed = structure.error ?? summary.error;
  const isOlder = asOf !== undefined && isRefused(failed, 'not-found');
  const exam = summary.data?.exams.find(({ terminalExamId }) => terminalExamId === search.get('exam'));
  return (
    <MomentPage title="Terminal Exams" sub={subject.name} actions={<Actions query={placeQuery(yearGroup, undefined)} />}>
      <YearGroups />
      {isOlder && <EmptyState title="Nothing yet">At that moment there was no such year group.</EmptyState>}
      {failed && !isOlder && <Failure error={failed} retry={() => void (structure.error ? structure : summary).refetch()} />}
      {!failed && structure.data && !yearGroup && <NoYearGroup />}
      {!failed && yearGroup && !summary.data && <Skeleton rows={6} label="Loading terminal exams" />}
      {!failed && summary.data && (
        <Content summary={summary.data} exam={exam} onChoose={(terminalExamId) => leaving('app', () => change({ exam: terminalExamId }))} />
      )}
    </MomentPage>
  );
};

type ContentProps = {
  readonly summary: PriorSummary;
  readonly exam: PriorSummary['exams'][number] | undefined;
  readonly onChoose: (terminalExamId: string) => void;
};

const Content = ({ summary, exam, onChoose }: ContentProps) =>
  summary.exams.length === 0 ? (
    <NoExams />
  ) : (
    <>
      <Exams summary={summary} chosen={exam?.terminalExamId} onChoose={onChoose} />
      {exam && <ExamScores key={exam.terminalExamId} exam={exam} summary={summary} />}
    </>
  );

const Actions = ({ query }: { readonly query: string }) => (
  <Link className={buttonClass()} to={useArea() + query}>
    Back to dashboard
  </Link>
);

const YearGroups = () => {
  const { yearGroups, yearGroup, change } = usePlace(useStructure().data);
  if (!yearGroup || yearGroups.length < 2) return null;
  return (
    <InHeader>
      <ScrollBar
        label="Year group"
        items={yearGroups.toSorted((a, b) => a.year - b.year).map(({ yearGroupId, year }) => ({ id: yearGroupId, name: `Year ${year}` }))}
        chosen={yearGroup.yearGroupId}
        onChoose={(id) =>
          leaving('app', () =>
            change({ year: String(yearGroups.find(({ yearGroupId }) => yearGroupId === id)?.year ?? ''), set: undefined }),
          )
        }
      />
    </InHeader>
  );
};

const NoYearGroup = () => (
  <EmptyState title="No year group yet">Prior data belongs to the students of a year group: an admin of your school adds them.</EmptyState>
);

const NoExams = () => {
  const { me } = useSession();
  return (
    <EmptyState title="No terminal exam yet">
      Prior data is what students achieved in an exam, such as Key Stage 2.{' '}
      {me.role === 'admin' ? <a href="/admin/terminal">Add the exam first</a> : 'An admin of your school adds the exam first.'}
    </EmptyState>
  );
};
