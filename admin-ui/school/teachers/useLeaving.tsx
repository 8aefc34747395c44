import type { Structure } from '#api/school/school.contract';
import { FormControlLabel, Radio, RadioGroup, TextField } from '@mui/material';
import { useState } from 'react';
import { useGetList } from 'react-admin';
import { sentence } from '../../../ui/api/failure.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { undoAct } from '../../../ui/sending/undo-act.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import type { RecordOf } from '../../data/record.ts';
import { RemovalDialog } from '../../dialog/RemovalDialog.tsx';
import { isBack } from '../../dialog/useRemove.tsx';
import { listed } from '../../format.ts';
import type { Choice } from '../sets/set.ts';
import type { Teacher } from './teacher.ts';
import styles from './Teachers.module.css';

type Leaving = {
  readonly teacher: Teacher;
  readonly handOver: { setId: string; to: string | null }[];
  readonly accountId: string | undefined;
};

type LeavingOptions = {
  readonly subjectId: string;
  /** As stored now. */
  readonly teachers: readonly Teacher[];
  readonly structure: Structure | undefined;
  readonly after: (teacher: Teacher) => void;
};

/** Deletes a teacher as one act: asks who takes over each class, and what becomes of the log-in. */
export const useLeaving = ({ subjectId, teachers, structure, after }: LeavingOptions) => {
  const [asked, setAsked] = useState<Teacher>();
  const close = () => {
    setAsked(undefined);
    forget();
  };
  const { send, pending, error, forget } = useSend({
    act: ({ teacher, handOver, accountId }: Leaving, command) =>
      command('LetTeacherLeave', { subjectId, teacherId: teacher.id, handOver, ...(accountId !== undefined && { accountId }) }),
    invalidates: 'everything',
    notice: (_answer, { teacher, accountId }) =>
      `${called(teacher)} deleted${accountId === undefined ? '.' : ', and the log-in deactivated.'}`,
    undo:
      ({ actId }, { teacher }) =>
      async (command) => {
        const undone = await undoAct(command, subjectId, actId);
        return undone && [isBack(called(teacher)), ...undone.stays].join(' ');
      },
    onDone: (_answer, { teacher }) => {
      after(teacher);
      close();
    },
    showsError: true,
  });
  const teacher = asked && (teachers.find(({ id }) => id === asked.id) ?? asked);
  const dialog = teacher && structure && (
    <LeavingDialog
      teacher={teacher}
      structure={structure}
      trouble={error === undefined ? undefined : sentence(error)}
      pending={pending}
      onGo={(leaving) => void send(leaving)}
      onClose={close}
    />
  );
  return { ask: setAsked, dialog };
};

const called = ({ name }: Teacher): string => name ?? 'The teacher';

type LeavingDialogProps = {
  readonly teacher: Teacher;
  readonly structure: Structure;
  readonly trouble: string | undefined;
  readonly pending: boolean;
  readonly onGo: (leaving: Leaving) => void;
  readonly onClose: () => void;
};

const LeavingDialog = ({ teacher, structure, trouble, pending, onGo, onClose }: LeavingDialogProps) => {
  const [takes, setTakes] = useState<Readonly<Record<string, string>>>({});
  const [closes, setCloses] = useState(false);
  const logIn = useLogIn(teacher);
  const classes = structure.yearGroups.flatMap(({ sets }) => sets.filter(({ setId }) => teacher.setIds.includes(setId)));
  const others = structure.teachers.flatMap(({ teacherId, name }) =>
    teacherId === teacher.id || name === null ? [] : [{ id: teacherId, name }],
  );
  const takers = new Set(classes.map(({ setId }) => takes[setId] ?? ''));
  const accountId = closes ? (logIn.user?.accountId ?? undefined) : undefined;
  return (
    <RemovalDialog
      title={`Delete ${teacher.name ?? 'this teacher'}?`}
      go={accountId === undefined ? 'Delete' : 'Delete, and deactivate the log-in'}
      stay="Cancel"
      cannot={pending}
      onGo={() => onGo({ teacher, handOver: classes.map(({ setId }) => ({ setId, to: takes[setId] || null })), accountId })}
      onClose={onClose}
    >
      {trouble !== undefined && <Notice tone="bad" title={trouble} />}
      <p>Marks and history stay. Undo brings the teacher and the classes back{accountId !== undefined && ', but not the log-in'}.</p>
      {classes.length > 0 && (
        <fieldset className="stack gap-3">
          <legend className={`strong ${styles.legend}`}>Who takes over?</legend>
          {classes.length > 1 && (
            <Taker
              label={`All ${classes.length} classes`}
              others={others}
              to={takers.size === 1 ? ([...takers][0] ?? '') : MIXED}
              onChoose={(to) => setTakes(Object.fromEntries(classes.map(({ setId }) => [setId, to])))}
            />
          )}
          {classes.map(({ setId, name }) => (
            <Taker
              key={setId}
              label={name}
              others={others}
              to={takes[setId] ?? ''}
              onChoose={(to) => setTakes({ ...takes, [setId]: to })}
            />
          ))}
        </fieldset>
      )}
      {logIn.user && (
        <fieldset className="stack gap-3">
          <legend className={`strong breaks ${styles.legend}`}>The log-in {logIn.user.email ?? logIn.user.name}</legend>
          <RadioGroup value={closes ? 'closed' : 'kept'} onChange={(_event, value) => setCloses(value === 'closed')}>
            <FormControlLabel
              value="kept"
              control={<Radio />}
              label={logIn.also.length > 0 ? `Keep it: it is used for ${listed(logIn.also)} too` : 'Keep it, without these classes'}
            />
            <FormControlLabel
              value="closed"
              control={<Radio />}
              label="Deactivate it at once, and for good. The address can be invited again."
            />
          </RadioGroup>
        </fieldset>
      )}
      {!logIn.isKnown && <p>If there is a log-in, it stays: an admin can deactivate it under Manage Users.</p>}
    </RemovalDialog>
  );
};

/** The account of a teacher, which only admins see, and the other subjects for which it is used. */
const useLogIn = ({ id }: Teacher) => {
  const { role, subjects } = useSession().me;
  const isKnown = role === 'admin';
  const { data = [] } = useGetList<RecordOf<'staffUsers'>>('staffUsers', { pagination: { page: 1, perPage: 2_000 } }, { enabled: isKnown });
  const user = data.find(({ accountId, teachers }) => accountId !== null && teachers.some(({ teacherId }) => teacherId === id));
  const elsewhere = user?.teachers.flatMap(({ teacherId, subjectId }) => (teacherId === id ? [] : subjectId)) ?? [];
  return { isKnown, user, also: subjects.flatMap(({ subjectId, name }) => (elsewhere.includes(subjectId) ? name : [])) };
};

type TakerProps = {
  readonly label: string;
  readonly others: readonly Choice[];
  readonly to: string;
  readonly onChoose: (to: string) => void;
};

const Taker = ({ label, others, to, onChoose }: TakerProps) => (
  <TextField
    select
    label={label}
    value={to}
    margin="none"
    onChange={({ target }) => onChoose(target.value)}
    slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
  >
    <option value="">Nobody yet</option>
    {to === MIXED && (
      <option value={MIXED} disabled>
        As chosen below
      </option>
    )}
    {others.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </TextField>
);

/** Different people take over. */
const MIXED = 'mixed';
