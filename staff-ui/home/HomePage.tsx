import { readsOnly } from '../../ui/roles.ts';
import { Link } from 'wouter';
import { JoiningWait } from '../../ui/accounts/JoiningWait.tsx';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { isRefused } from '../../ui/api/failure.ts';
import { ClassRag } from '../analysis/class/ClassRag.tsx';
import { Explanations } from '../analysis/figures/Explanations.tsx';
import { MomentPage } from '../shell/MomentPage.tsx';
import { NothingYet } from '../shell/NothingYet.tsx';
import { counted } from '../format.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { useArea } from '../shell/area.ts';
import { ClassPicker } from '../shell/ClassPicker.tsx';
import { NoSubject } from '../shell/NoSubject.tsx';
import type { SchoolSet, YearGroup } from '../shell/place.ts';
import { placeQuery, setsInOrder } from '../shell/place.ts';
import { useClassPage } from '../shell/useClassPage.ts';
import { ClassReport, StudentReports } from '../analysis/reports/StudentReports.tsx';
import { ClassTasks } from '../tasks/ClassTasks.tsx';
import { LeaderTasks } from '../tasks/LeaderTasks.tsx';
import { useUploadDialogs } from '../marks/upload/request.ts';
import { Assessments } from './Assessments.tsx';
import { LastYear } from './LastYear.tsx';
import { FoldedChanges } from './FoldedChanges.tsx';
import { RecentUploads } from './RecentUploads.tsx';
import { HistoryLink } from '../../ui/record/HistoryLink.tsx';

/** Home of teachers and leaders: choose a class, see its results, open its markbook or upload marks. */
export const HomePage = () => {
  const { me } = useSession();
  const { subject, structure, classes, viewed, yearGroup, set, area, asOf } = useClassPage();
  const isOlder = asOf !== undefined && isRefused(structure.error, 'not-found');
  /** The one that the page is about. */
  const only = set ?? (yearGroup?.sets.length === 1 ? yearGroup.sets[0] : undefined);
  if (!subject) return <NoSubject title="Home" />;
  return (
    <MomentPage
      title={titleOf(subject.name, yearGroup, set)}
      sub={yearGroup && counted(set?.students ?? yearGroup.sets.reduce((all, { students }) => all + students, 0), 'student')}
      actions={
        yearGroup && yearGroup.sets.length > 0 && <Actions subjectId={subject.subjectId} yearGroup={yearGroup} set={set} only={only} />
      }
    >
      {!readsOnly(me.role) && asOf === undefined && <JoiningWait subject={subject} />}
      {isOlder && <NothingYet />}
      {structure.error && !isOlder && <Failure error={structure.error} retry={() => void structure.refetch()} />}
      {structure.isPending && <Skeleton rows={8} label="Loading classes" />}
      {classes &&
        (yearGroup && yearGroup.sets.length > 0 ? (
          <Explanations>
            <ClassPicker structure={classes} all={me.role === 'teacher' ? 'All my classes' : 'All classes'} />
            {area === '/leader' ? (
              <>
                <LeaderTasks key={yearGroup.yearGroupId} structure={classes} yearGroup={yearGroup} />
                <Assessments structure={classes} yearGroup={yearGroup} set={set} />
                {only && <ClassRag setId={only.setId} predictors={`${area}/predictors${placeQuery(yearGroup, only)}`} />}
              </>
            ) : (
              <ClassTasks
                ownSets={me.role === 'teacher' || viewed ? classes.yearGroups.flatMap(setsInOrder) : set ? [set] : yearGroup.sets}
                shown={set ? [set] : yearGroup.sets}
              >
                <Assessments structure={classes} yearGroup={yearGroup} set={set} />
                {only && <ClassRag setId={only.setId} predictors={`${area}/predictors${placeQuery(yearGroup, only)}`} />}
              </ClassTasks>
            )}
            <RecentUploads set={set} />
            {!readsOnly(me.role) && asOf === undefined && <FoldedChanges key={subject.subjectId} subjectId={subject.subjectId} />}
          </Explanations>
        ) : (
          <NoClasses teacher={me.role === 'teacher'} viewed={viewed?.name} />
        ))}
    </MomentPage>
  );
};

const titleOf = (subject: string, yearGroup: YearGroup | undefined, set: SchoolSet | undefined): string =>
  `${set?.name ?? (yearGroup ? `Year ${yearGroup.year}` : 'Classes')} – ${subject}`;

/** `set`: the one that is chosen; `only`: the one that the page is about, also unchosen. */
type ActionsProps = {
  readonly subjectId: string;
  readonly yearGroup: YearGroup;
  readonly set: SchoolSet | undefined;
  readonly only: SchoolSet | undefined;
};

const Actions = ({ subjectId, yearGroup, set, only }: ActionsProps) => {
  const { open, mayUpload } = useUploadDialogs();
  const area = useArea();
  return (
    <>
      {mayUpload && (
        <>
          <Button onClick={() => open({ kind: 'totals', ...(set ? { setId: set.setId } : {}) })}>Upload totals</Button>
          <Button onClick={() => open({ kind: 'results', ...(set ? { by: 'hand', setId: set.setId } : {}) })}>
            Enter question-level analysis
          </Button>
        </>
      )}
      {only && only.students > 0 && (
        <>
          <StudentReports setId={only.setId} yearGroupId={yearGroup.yearGroupId} name={only.name} />
          <ClassReport setId={only.setId} yearGroupId={yearGroup.yearGroupId} name={only.name} />
        </>
      )}
      {only && <HistoryLink of={{ id: only.setId, name: only.name }} />}
      {area === '/leader' && <LastYear subjectId={subjectId} yearGroup={yearGroup} />}
      <Link className={buttonClass('primary')} to={`${area}/markbook${placeQuery(yearGroup, set)}`}>
        Show Markbook
      </Link>
    </>
  );
};

type NoClassesProps = { readonly teacher: boolean; readonly viewed: string | undefined };

const NoClasses = ({ teacher, viewed }: NoClassesProps) => (
  <EmptyState title={viewed === undefined ? (teacher ? 'No class of yours yet' : 'No classes yet') : `No class of ${viewed} yet`}>
    This is where you choose a class and see its marks.{' '}
    {viewed !== undefined
      ? 'An admin of your school assigns classes to teachers.'
      : teacher
        ? 'You have no class in this subject yet: an admin of your school assigns classes to teachers.'
        : 'This subject has no classes yet: an admin of your school adds them and assigns them to teachers.'}
  </EmptyState>
);
