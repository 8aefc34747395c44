import type { Task } from '#api/tasks/task.contract';
import { useState } from 'react';
import { MAX_COMMENT } from '#api/tasks/task-fields.contract';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { counted, dateTime, some } from '../../format.ts';
import { discardAll } from '../../../ui/drafts/useDraftStore.ts';
import { CheckDialog } from '../check/CheckDialog.tsx';
import type { CheckDrafts } from '../check/check-input.ts';
import { useMayLead } from '../may-lead.ts';
import { sinceText } from '../TaskCard.tsx';
import { RankingTable } from '../ranking/RankingTable.tsx';
import { NotNotifiedNotice } from '../NotNotifiedNotice.tsx';
import type { Reasons } from './steps.ts';
import { awaited } from './steps.ts';
import styles from '../Steps.module.css';
import { teachersOf } from './TotalsStep.tsx';

type CheckStepProps = {
  readonly task: Task;
  readonly kind: 'ranking' | 'grades';
  readonly reasons: Reasons;
  readonly onReasons: (reasons: Reasons) => void;
  readonly standIn: StandIn | undefined;
  readonly onStandIn: (standIn: StandIn) => void;
  /** what is typed there and not stored */
  readonly checkDrafts: CheckDrafts;
};

/** A class that the leader checks in its teacher's place. */
export type StandIn = {
  readonly kind: 'ranking' | 'grades';
  readonly set: { readonly setId: string; readonly name: string };
  readonly isShown: boolean;
};

/** Steps 4 and 6: whose check is awaited and since when, reminders, and the reasons for going on without a class. */
export const CheckStep = ({ task, kind, reasons, onReasons, standIn, onStandIn, checkDrafts }: CheckStepProps) => {
  const mayLead = useMayLead() && task.status < 6;
  const waiting = awaited(task, kind, reasons);
  const stored = kind === 'ranking' ? 'Stored when the grades are allocated.' : 'Stored when the task is ended.';
  /** One reason for all classes that are awaited; undefined: none is typed here. */
  const [shared, setShared] = useState<string>();
  const goOnWithoutAll = (to: string | undefined) => {
    const isShared = (reason: string | undefined) => reason === undefined || reason === '' || reason === shared;
    const of = awaited(task, kind, {}).filter(({ setId }) => isShared(reasons[setId]));
    onReasons(of.reduce((all, { setId }) => withReason(all, setId, to), reasons));
    setShared(to);
  };
  const remind = useCommand('RemindTeachers', {
    input: (setIds: readonly string[] | undefined) => ({ taskId: task.taskId, ...(setIds && { setIds: [...setIds] }) }),
    invalidates: [],
    notice: ({ message, teachers, notNotified }) => ({
      text: message,
      tone: notNotified.length === 0 ? 'good' : teachers === 0 ? 'bad' : 'warn',
    }),
  });
  return (
    <>
      {waiting.length > 0 ? (
        <Notice
          title={`Awaiting ${counted(waiting.length, 'class', 'classes')}: ${some(waiting.map(({ name }) => name))}`}
          actions={
            mayLead && (
              <>
                <Button disabled={remind.pending} onClick={() => void remind.send(undefined)}>
                  {waiting.length === 1 ? 'Remind the teacher' : 'Remind all teachers'}
                </Button>
                {waiting.length > 1 && shared === undefined && (
                  <Button onClick={() => goOnWithoutAll('')}>Go on without all {waiting.length}</Button>
                )}
              </>
            )
          }
        />
      ) : (
        <Notice
          tone="good"
          title={
            kind === 'ranking'
              ? 'Every class has checked its ranking, or you went on without it.'
              : 'Every class has checked its grades, or you went on without it.'
          }
        />
      )}
      {shared !== undefined && mayLead && (
        <div className={`row ${styles.reason}`}>
          <Field
            label="Why you go on without all of them"
            value={shared}
            maxLength={MAX_COMMENT}
            hint={stored}
            onChange={({ target }) => goOnWithoutAll(target.value)}
          />
          <Button onClick={() => goOnWithoutAll(undefined)}>Wait for them</Button>
        </div>
      )}
      <NotNotifiedNotice notNotified={remind.answer?.notNotified} />
      <Table label="Checks of the classes" region={styles.scroll}>
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col">Check</th>
            <th scope="col">Teachers</th>
            <th scope="col">
              <span className="sr">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {task.sets.map((set) => (
            <SetRow
              key={set.setId}
              set={set}
              kind={kind}
              reason={reasons[set.setId]}
              stored={stored}
              {...(mayLead && {
                acts: {
                  remind: () => void remind.send([set.setId]),
                  check: () => {
                    // What was typed in an earlier check does not belong to this one.
                    discardAll(checkDrafts);
                    onStandIn({ kind, set, isShown: true });
                  },
                  without: (reason: string | undefined) => onReasons(withReason(reasons, set.setId, reason)),
                },
              })}
              pending={remind.pending}
            />
          ))}
        </tbody>
      </Table>
      <RankingTable task={task} />
      {standIn?.kind === kind && (
        <CheckDialog
          key={standIn.set.setId}
          taskId={task.taskId}
          set={standIn.set}
          kind={kind}
          open={standIn.isShown}
          drafts={checkDrafts}
          onClose={() => onStandIn({ ...standIn, isShown: false })}
        />
      )}
    </>
  );
};

const withReason = (reasons: Reasons, setId: string, reason: string | undefined): Reasons => {
  const { [setId]: _, ...others } = reasons;
  return reason === undefined ? others : { ...others, [setId]: reason };
};

type SetRowProps = {
  readonly set: Task['sets'][number];
  readonly kind: 'ranking' | 'grades';
  /** for going on without the check; undefined: the check is waited for */
  readonly reason: string | undefined;
  /** when the reason is stored, as a sentence */
  readonly stored: string;
  readonly pending: boolean;
  readonly acts?: { readonly remind: () => void; readonly check: () => void; readonly without: (reason: string | undefined) => void };
};

const SetRow = ({ set, kind, reason, stored, pending, acts }: SetRowProps) => {
  const check = kind === 'ranking' ? set.rankingChecked : set.gradesChecked;
  const without = kind === 'ranking' ? set.withoutRanking : set.withoutGrades;
  const isAwaited = set.status < (kind === 'ranking' ? 3 : 5) && without === null;
  return (
    <tr>
      <th scope="row">{set.name}</th>
      <td className={styles.text}>
        {check
          ? `Checked by ${check.by ?? 'somebody who was forgotten'}${check.stoodIn ? ' (not a teacher of the class)' : ''}, ${dateTime(check.at)}`
          : without
            ? `${without.by ?? 'Somebody who was forgotten'} went on without it: ${without.reason ?? 'the reason was forgotten'}`
            : isAwaited
              ? `Awaited ${sinceText(set.since)}`
              : 'Not checked'}
        {isAwaited && reason !== undefined && acts && (
          <div className={`row ${styles.reason}`}>
            <Field
              label="Why you go on without it"
              value={reason}
              maxLength={MAX_COMMENT}
              hint={stored}
              onChange={({ target }) => acts.without(target.value)}
            />
            <Button onClick={() => acts.without(undefined)}>Wait for it</Button>
          </div>
        )}
      </td>
      <td className={styles.text}>
        {teachersOf(set)}
        {isAwaited && set.teachers.every(({ hasAccount }) => !hasAccount) && (
          <span className="muted small"> – none has an active account</span>
        )}
      </td>
      <td>
        {acts && isAwaited && (
          <span className="line">
            <Button aria-label={`Remind the teachers of ${set.name}`} disabled={pending} onClick={acts.remind}>
              Remind
            </Button>
            <Button aria-label={`Check ${set.name} in the teacher’s place`} onClick={acts.check}>
              Check yourself
            </Button>
            {reason === undefined && (
              <Button look="plain" aria-label={`Go on without ${set.name}`} onClick={() => acts.without('')}>
                Go on without
              </Button>
            )}
          </span>
        )}
      </td>
    </tr>
  );
};
