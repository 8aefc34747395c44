import type { Replay } from '#api/history/replay/replay.contract';
import { markbookOf, stateAfter } from '#api/history/replay/replay.formula';
import { studentsToldApart } from '#api/contract/names';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { EntryDialog } from '../../../ui/record/EntryDialog.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { lastPage, PAGE_ROWS, Pager } from '../../../ui/table/Pager.tsx';
import { dateTime } from '../../format.ts';
import { useStructure } from '../../queries.ts';
import { useArea } from '../../shell/area.ts';
import { NoSubject } from '../../shell/NoSubject.tsx';
import { placeQuery, usePlace } from '../../shell/place.ts';
import { Legend } from '../markbook/Legend.tsx';
import { MarkbookTable } from '../markbook/MarkbookTable.tsx';
import { useView } from '../markbook/useView.ts';
import { columnsOf, studentsOf } from '../markbook/view.ts';
import type { Panel } from './Choices.tsx';
import { Choices } from './Choices.tsx';
import { Moved } from './Moved.tsx';
import { Player } from './Player.tsx';
import styles from './Replay.module.css';
import { WhatIf } from './WhatIf.tsx';
import { stepText } from './replay-words.ts';
import { readsOnly } from '../../../ui/roles.ts';
import { usePlaying, useReplayQuery, useStep } from './useReplay.ts';

/** The markbook of a year group, or of one of its classes, as it came about: a slider over every change. */
export const ReplayPage = () => {
  const { subject } = useSession();
  const structure = useStructure();
  const { yearGroup, set } = usePlace(structure.data);
  const replay = useReplayQuery(yearGroup?.yearGroupId);
  const area = useArea();
  if (!subject) return <NoSubject title="Replay" />;
  const failed = structure.error ?? replay.error;
  return (
    <Page
      title={yearGroup ? `Year ${yearGroup.year} – Replay` : 'Replay'}
      sub={subject.name}
      actions={
        <Link className={buttonClass()} to={`${area}/markbook${placeQuery(yearGroup, set)}`}>
          Back to markbook
        </Link>
      }
    >
      {failed && <Failure error={failed} retry={() => void (structure.error ? structure : replay).refetch()} />}
      {!failed && !replay.data && <Skeleton rows={12} label="Loading every change" />}
      {replay.data?.steps.length === 0 && (
        <EmptyState title="Nothing has happened yet">Here you can go through every change of the markbook, once there are some.</EmptyState>
      )}
      {replay.data && replay.data.steps.length > 0 && (
        <Replayed key={`${replay.data.yearGroupId} ${replay.dataUpdatedAt}`} replay={replay.data}>
          <p className={`muted ${styles.note}`}>
            Changes up to {dateTime(new Date(replay.dataUpdatedAt).toISOString())}.{' '}
            <Button look="plain" disabled={replay.isFetching} onClick={() => void replay.refetch()}>
              Load later ones
            </Button>
          </p>
        </Replayed>
      )}
    </Page>
  );
};

const Replayed = ({ replay, children }: { readonly replay: Replay; readonly children: ReactNode }) => {
  const structure = useStructure();
  const place = usePlace(structure.data);
  const { at, goTo: goToStep } = useStep(replay, place);
  const count = replay.steps.length;
  const { isPlaying, toggle, stop } = usePlaying(at, count, goToStep);
  const goTo = (step: number): void => {
    stop();
    goToStep(step);
  };
  const step = replay.steps[at - 1];
  const [before, state] = useMemo(() => [stateAfter(replay, Math.max(0, at - 1)), stateAfter(replay, at)], [replay, at]);
  const markbook = useMemo(() => studentsToldApart(markbookOf(replay, state)), [replay, state]);
  const columns = markbook.students.some(({ ranking, score, grade }) => ranking ?? score ?? grade) ? RESULTS : [];
  const { view, sortBy, filter } = useView(markbook, place, columns);
  const students = studentsOf(markbook, view);
  const marked = useMemo(
    () => new Set(step?.cells?.map(([student, test]) => `${replay.students[student]?.studentId} ${replay.tests[test]}`)),
    [replay, step],
  );
  const last = lastPage(students.length, PAGE_ROWS);
  const [page, setPage] = useState(0);
  const [followed, setFollowed] = useState<number>();
  if (followed !== at) {
    setFollowed(at);
    // To what changed, unless some of it is in sight.
    const concerned = new Set(step?.cells?.map(([student]) => replay.students[student]?.studentId));
    const changed = students.flatMap(({ studentId }, row) => (concerned.has(studentId) ? Math.floor(row / PAGE_ROWS) : []));
    if (changed[0] !== undefined && !changed.includes(page)) setPage(changed[0]);
  }
  const shownPage = Math.min(page, last);
  const [chosen, setChosen] = useState<string>();
  const [entry, setEntry] = useState<string>();
  const [panel, setPanel] = useState<Panel>();
  const { me } = useSession();
  const mayLead = useArea() === '/leader' && !readsOnly(me.role);
  return (
    <>
      <Player
        at={at}
        count={count}
        isPlaying={isPlaying}
        toggle={toggle}
        goTo={goTo}
        text={step ? `${dateTime(step.at)}: ${stepText(replay, step, before)}` : beginning(replay)}
      >
        <Choices
          replay={replay}
          at={at}
          goTo={goTo}
          student={chosen}
          choose={setChosen}
          setId={view.setId}
          filter={filter}
          show={setEntry}
          panel={panel}
          setPanel={setPanel}
          isRanked={state.ranking !== undefined}
        />
      </Player>
      {replay.since !== null && (
        <p className={`muted ${styles.note}`}>Changes before {dateTime(replay.since)} are too many to show: the slider begins there.</p>
      )}
      {panel === 'compare' && <Moved replay={replay} at={at} setId={view.setId} goTo={goTo} />}
      {panel === 'what if' && state.ranking && (
        <WhatIf
          key={JSON.stringify(state.ranking.shares)}
          replay={replay}
          state={state}
          ranking={state.ranking}
          asOf={at === count ? undefined : step?.at}
          mayAdopt={mayLead && at === count}
        />
      )}
      {markbook.tests.length > 0 && (
        <MarkbookTable
          markbook={markbook}
          students={students.slice(shownPage * PAGE_ROWS, (shownPage + 1) * PAGE_ROWS)}
          filtered={students}
          view={view}
          columns={columns}
          beside={undefined}
          sortBy={sortBy}
          filter={filter}
          open={({ studentId }) => setChosen(studentId)}
          marked={marked}
          turnPage={(by) => setPage(Math.min(last, Math.max(0, shownPage + by)))}
        />
      )}
      <EntryDialog eventId={entry} show={setEntry} onClose={() => setEntry(undefined)} />
      <Pager of="students" page={shownPage} size={PAGE_ROWS} count={students.length} onPage={setPage} />
      <Legend />
      {children}
    </>
  );
};

/** Of the ranking; priors and residuals are not in the replay. */
const RESULTS = columnsOf(false).filter(({ of }) => of === 'ranking' || of === 'score' || of === 'grade');

const beginning = ({ since }: Replay): string => (since === null ? 'Before the first change.' : `Before ${dateTime(since)}.`);
