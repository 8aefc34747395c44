import { studentsToldApart } from '#api/contract/names';
import { naturalOrder } from '#api/contract/order';
import type { Tracker } from '#api/marks/submissions/submissions.contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { question, useApi } from '../../../ui/api/ApiProvider.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Changes, ReadOnly } from '../../../ui/frame/ReadOnly.tsx';
import { useLiveState } from '../../../ui/session/Session.tsx';
import { dateTime } from '../../format.ts';
import { useMoment } from '../../moment.ts';
import type { SchoolSet } from '../../shell/place.ts';
import { Groups } from './Groups.tsx';
import { NotSeen } from './NotSeen.tsx';
import { Remind } from './Remind.tsx';
import styles from './Tracker.module.css';

type TrackerDialogProps = {
  readonly test: { readonly testId: string; readonly name: string };
  readonly sets: readonly SchoolSet[];
  readonly open: boolean;
  readonly onClose: () => void;
};

/** Student Submission Tracker: who of a class has entered marks for an assessment, and for whom staff have. */
export const TrackerDialog = ({ test, sets, open, onClose }: TrackerDialogProps) => {
  const [chosen, setChosen] = useState<string>();
  const { asOf } = useMoment();
  const set = sets.find(({ setId }) => setId === chosen) ?? (sets.length === 1 ? sets[0] : undefined);
  return (
    <Dialog size="wide" title="Student Submission Tracker" open={open} onClose={onClose}>
      <div className="stack gap-4 pad">
        <p className="strong">
          {set && sets.length === 1 && `${set.name} – `}
          {test.name}
          {asOf !== undefined && `, as it was on ${dateTime(asOf)}`}
        </p>
        {sets.length > 1 && (
          <div className="row">
            <Select
              label="Select Class"
              value={set?.setId ?? ''}
              onChange={(event) => setChosen(event.target.value)}
              hint={set ? undefined : 'Select a set to continue...'}
            >
              <option value="" disabled>
                Select Class
              </option>
              {sets
                .toSorted((a, b) => naturalOrder(a.name, b.name))
                .map(({ setId, name }) => (
                  <option key={setId} value={setId}>
                    {name}
                  </option>
                ))}
            </Select>
          </div>
        )}
        <ReadOnly value={asOf !== undefined}>{set && <OfClass testId={test.testId} setId={set.setId} name={test.name} />}</ReadOnly>
      </div>
    </Dialog>
  );
};

/** ms between two looks while the live connection does not say what changes */
const EVERY = 10_000;

type OfClassProps = { readonly testId: string; readonly setId: string; readonly name: string };

const OfClass = ({ name, ...ask }: OfClassProps) => {
  const api = useApi();
  const live = useLiveState();
  const { asOf } = useMoment();
  const tracker = useQuery({
    ...question(api, 'tracker', ask, asOf),
    select: studentsToldApart,
    refetchInterval: asOf !== undefined || live === 'live' ? false : EVERY,
  });
  // An interruption passes: what was read last is shown meanwhile.
  if (tracker.error && !tracker.data) return <Failure error={tracker.error} retry={() => void tracker.refetch()} />;
  if (!tracker.data) return <Skeleton rows={8} label="Loading submissions" />;
  const { students, questions } = tracker.data;
  if (students.length === 0) return <EmptyState title="Nobody is in this class yet">An admin of your school adds its students.</EmptyState>;
  if (questions === 0)
    return (
      <EmptyState title="No questions yet">
        Students submit a mark for each question. An admin of your school adds the questions first.
      </EmptyState>
    );
  return (
    <>
      <Counts tracker={tracker.data} />
      <Changes>
        <NotSeen testId={ask.testId} name={name} isVisible={tracker.data.visible}>
          {tracker.data.counts.incomplete > 0 && <Remind testId={tracker.data.testId} />}
        </NotSeen>
      </Changes>
      <Groups tracker={tracker.data} />
    </>
  );
};

/** Announced when it changes. */
const Counts = ({ tracker: { counts } }: { readonly tracker: Tracker }) => (
  <p role="status" className={`row ${styles.counts}`}>
    <span data-group="incomplete">
      <b>{counts.incomplete}</b> incomplete
    </span>
    <span data-group="student">
      <b>{counts.student}</b> by student
    </span>
    <span data-group="staff">
      <b>{counts.staff}</b> by staff
    </span>
  </p>
);
