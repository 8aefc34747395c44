import type { KeptSchoolYear, SchoolYearPlan, SchoolYearPreview } from '#api/school/school-year/school-year.contract';
import { schoolYearName } from '#api/school/school-year/school-year.formula';
import { dateText } from '#api/contract/dates';
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useApi } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { ask } from '../../../ui/feedback/ask.ts';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { undoAct } from '../../../ui/sending/undo-act.ts';
import { useCommand, useSend } from '../../../ui/sending/useSend.ts';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import { counted, listed } from '../../format.ts';
import styles from './SchoolYear.module.css';
import { usePreview } from './usePreview.ts';

type OutcomeProps = {
  readonly subjectId: string;
  readonly plan: SchoolYearPlan;
  readonly kept: KeptSchoolYear['kept'];
  /** The plan is another one than what is kept. */
  readonly isChanged: boolean;
  readonly isFuture: boolean;
  /** It is kept, dropped or carried out. */
  readonly onDone: () => void;
};

/** What the plan would do, and the buttons that keep it and begin. */
export const Outcome = ({ subjectId, plan, kept, isChanged, isFuture, onDone }: OutcomeProps) => {
  const api = useApi();
  const client = useQueryClient();
  const asked = useDeferredValue(plan);
  const preview = usePreview(subjectId, asked);
  const { data, error, isPlaceholderData, isFetching } = preview;
  /** undefined: it is being looked at. */
  const open = asked === plan && !isPlaceholderData && !isFetching ? data?.problems : undefined;
  const version = kept?.version ?? null;
  const show = (now: KeptSchoolYear) => {
    onDone();
    client.setQueryData(['school-year', subjectId], now);
  };
  const again = () => client.invalidateQueries({ queryKey: ['school-year', subjectId] });
  const keeping = useSend({
    act: () => api.post<KeptSchoolYear>('/api/school-years/keep', { subjectId, plan, version }),
    notice: () => keptAs(open, dateText(plan.day)),
    onDone: show,
  });
  const dropping = useSend({
    act: () => api.post<KeptSchoolYear>('/api/school-years/drop', { subjectId, version }),
    notice: () => 'The plan was dropped.',
    onDone: show,
  });
  const name = schoolYearName(plan.day);
  const beginning = useCommand('BeginSchoolYear', {
    input: () => ({ subjectId, plan, version }),
    work: () => `Beginning the school year ${name}`,
    notice: () => `The school year ${name} has begun.`,
    undo:
      ({ actId }) =>
      async (command) => {
        const undone = await undoAct(command, subjectId, actId);
        return undone && [`The school year ${name} was taken back.`, ...undone.stays].join(' ');
      },
    onDone: () => {
      onDone();
      void again();
    },
    onFailed: () => void again(),
  });
  const begin = async (seen: SchoolYearPreview) => {
    const question = { title: `Begin the school year ${name} now?`, text: summaryOf(seen), go: 'Begin', stay: 'Not yet' };
    if (await ask(question)) await beginning.send();
  };
  const isReady = open?.length === 0;
  const isBusy = keeping.pending || dropping.pending || beginning.pending;
  return (
    <section className={`stack ${styles.section}`} aria-label="What changes">
      <h2>What changes</h2>
      {error && <Failure error={error} retry={() => void preview.refetch()} />}
      {!data && !error && <Skeleton rows={6} />}
      {data && <Changes preview={data} />}
      <div className={`row apart ${styles.foot}`}>
        <p aria-live="polite">
          {data && (data.problems.length > 0 ? `${counted(data.problems.length, 'thing')} to settle first.` : summaryOf(data))}
        </p>
        <div className="row">
          {kept && (
            <Button look="remove" disabled={isBusy} onClick={() => void dropping.send(undefined)}>
              Drop the plan
            </Button>
          )}
          <Button disabled={!isReady || isBusy} onClick={() => data && void begin(data)}>
            Begin now
          </Button>
          {isFuture && (
            <Button
              look="primary"
              disabled={isBusy || (!open && !error) || (kept !== null && !isChanged && !kept.trouble)}
              onClick={() => void keeping.send(undefined)}
            >
              Keep until {dateText(plan.day)}
            </Button>
          )}
        </div>
      </div>
    </section>
  );
};

const keptAs = (open: SchoolYearPreview['problems'] | undefined, day: string): string => {
  if (!open) return 'The plan is kept.';
  if (open.length === 0) return `Kept: it begins by itself on ${day}.`;
  return `Kept, but it waits: ${counted(open.length, 'thing')} to settle first.`;
};

const summaryOf = ({ sets, leavers, intake }: SchoolYearPreview): string => {
  const come = intake ? `, ${counted(intake.added, 'comes', 'come')}` : '';
  const classes = sets.filter(({ name }) => name !== null).length;
  return `${counted(classes, 'class', 'classes')} in the new year: ${counted(leavers.students, 'leaves', 'leave')}${come}, ${counted(
    sets.reduce((sum, { go }) => sum + go, 0),
    'changes class',
    'change class',
  )}.`;
};

const Changes = ({ preview: { problems, sets, leavers, intake, tasks, withoutTeacher } }: { readonly preview: SchoolYearPreview }) => (
  <>
    {problems.length > 0 && (
      <Notice tone="warn" title="Settle this first">
        <ul>
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{message}</li>
          ))}
        </ul>
      </Notice>
    )}
    <ul className="stack gap-1">
      {leavers.students > 0 && (
        <li>
          {counted(leavers.students, 'student')} {leavers.students === 1 ? 'goes' : 'go'} to Off-Roll: their results stay.{' '}
          {leavers.logIns > 0 &&
            `${counted(leavers.logIns, 'log-in')} of theirs stay${leavers.logIns === 1 ? 's' : ''} open, so that they can still see them; close them under Manage Users.`}
          {leavers.elsewhere > 0 && ` ${counted(leavers.elsewhere, 'of them stays', 'of them stay')} in another subject.`}
        </li>
      )}
      {intake && (
        <li>
          The file: {intake.added} new, {intake.moved} moved, {intake.corrected} corrected, {intake.same} as they are.
          {intake.differ.length > 0 &&
            ` ${counted(intake.differ.length, 'name or date of birth differs', 'names or dates of birth differ')}: ${listed(intake.differ.slice(0, 5))}.`}
        </li>
      )}
      {tasks.map(({ taskId, name, year, becomes }) => (
        <li key={taskId}>
          The feedback task {name} of Year {year} is open:{' '}
          {becomes === null
            ? 'it ends with its year group, and can be read in History.'
            : becomes === year
              ? 'it goes on.'
              : `it goes on in Year ${becomes}.`}
        </li>
      ))}
      {withoutTeacher.length > 0 && <li>Without a teacher: {listed(withoutTeacher)}.</li>}
    </ul>
    <Table label="Classes before and after" isList cardsBelow={600}>
      <Heads names={['Now', 'New year', 'Students', 'Who moves']} figures={['Students']} />
      <tbody>
        {asNamed(sets).map(({ was, name, before, after, leave, come, go }) => (
          <tr key={`${was} ${name}`}>
            <td>{was ?? 'New'}</td>
            <th scope="row">{name ?? 'Ends'}</th>
            <td className="figure">{was === null ? after : name === null ? before : `${before} → ${after}`}</td>
            <td className="muted">
              {[
                leave > 0 && counted(leave, 'leaves', 'leave'),
                come > 0 && counted(come, 'comes', 'come'),
                go > 0 && counted(go, 'goes elsewhere', 'go elsewhere'),
              ]
                .filter(Boolean)
                .join(', ')}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  </>
);

type Beside = SchoolYearPreview['sets'][number];

/** A set that ends and a new one of the same name are one row: 30 leave 11X1, and 28 others come. */
const asNamed = (sets: readonly Beside[]): readonly Beside[] => {
  const ended = new Map(sets.filter(({ name }) => name === null).map((set) => [set.was, set]));
  const replaced = new Set<Beside>();
  const rows = sets.map((set) => {
    const old = set.was === null ? ended.get(set.name) : undefined;
    if (!old) return set;
    replaced.add(old);
    return { ...set, was: old.was, before: old.before, leave: old.leave, go: old.go };
  });
  return rows.filter((row) => !replaced.has(row));
};
