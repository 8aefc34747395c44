import { naturalOrder } from '#api/contract/order';
import { ENOUGH_PRIOR } from '#api/prior/prior-score.contract';
import type { Structure } from '#api/school/school.contract';
import type { Task } from '#api/tasks/task-answers.contract';
import { DEFAULT_EXPIRY, LAST_EXPIRY, TASK_REQUIRED, taskMessages, wrongExpiry } from '#api/tasks/task-fields.contract';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { useUnsaved } from '../../../ui/session/unsaved.ts';
import { usePriorSummary } from '../../prior/queries.ts';
import type { YearGroup } from '../../shell/place.ts';
import { placeQuery } from '../../shell/place.ts';
import { dayAhead, today } from '../days.ts';
import { useMayLead } from '../may-lead.ts';
import { MapTable } from './MapTable.tsx';
import { mapKey, mapOf } from './maps.ts';
import styles from '../Steps.module.css';

type Content = { readonly name: string; readonly expiry: string; readonly teacherInput: boolean; readonly maps: ReadonlySet<string> };

type AssessmentsStepProps = {
  /** undefined: a new one */
  readonly task: Task | undefined;
  readonly structure: Structure;
  readonly yearGroup: YearGroup;
  readonly onMade?: (taskId: string) => void;
};

/** Step 1: what the task is called, until when, whether teachers check it, and which classes sit which assessments for it. */
export const AssessmentsStep = ({ task, structure, yearGroup, onMade }: AssessmentsStepProps) => {
  const { subject } = useSession();
  /** What stood when the user began to type. */
  const [before, setBefore] = useState(() => contentOf(task));
  const [content, setContent] = useState(before);
  /** Fields that were not touched follow what others save. */
  const [seen, setSeen] = useState(task);
  if (task && task !== seen) {
    setSeen(task);
    const next = followed(before, content, contentOf(task));
    setBefore(next.before);
    setContent(next.content);
  }
  const [wasSent, setSent] = useState(false);
  const isChanged = !isSame(before, content);
  const isOvertaken = task !== undefined && isChanged && !isSame(before, contentOf(task));
  useUnsaved(isChanged, 'part');
  const mayEdit = useMayLead() && task?.status !== 6;
  const create = useCommand('CreateFeedbackTask', {
    input: () => ({
      subjectId: subject?.subjectId ?? '',
      yearGroupId: yearGroup.yearGroupId,
      name: content.name.trim(),
      expiry: content.expiry,
      teacherInput: content.teacherInput,
      maps: [...content.maps].map(mapOf),
    }),
    notice: () => `${content.name.trim()} was added. Its teachers get a mail.`,
    onDone: ({ taskId }) => {
      setBefore(content);
      onMade?.(taskId);
    },
  });
  const edit = useCommand('EditFeedbackTask', {
    input: () => changesOf(task?.taskId ?? '', before, content),
    notice: () => 'Saved.',
    onDone: () => setBefore(content),
  });
  const wrong = wrongIn(content, before.expiry);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (wrong.name ?? wrong.expiry ?? wrong.maps) return;
    void (task ? edit : create).send();
  };
  const pending = create.pending || edit.pending;
  const discard = () => {
    const now = contentOf(task);
    setBefore(now);
    setContent(now);
  };
  const change = (part: Partial<Content>) => setContent({ ...content, ...part });
  return (
    <form className={styles.form} onSubmit={save} noValidate>
      {!task && <PriorMissing yearGroup={yearGroup} />}
      {isOvertaken && !pending && (
        <Notice
          tone="warn"
          title="Somebody else has changed meanwhile what you are changing here. Yours is not stored."
          actions={
            <>
              <Button onClick={() => setBefore(contentOf(task))}>Keep mine</Button>
              <Button onClick={discard}>Take theirs</Button>
            </>
          }
        />
      )}
      <fieldset className={styles.form} disabled={!mayEdit}>
        <div className={styles.fields}>
          <Field
            label="Task name"
            value={content.name}
            maxLength={100}
            error={wasSent ? wrong.name : undefined}
            onChange={({ target }) => change({ name: target.value })}
          />
          <Field
            label="Expiry date"
            type="date"
            value={content.expiry}
            min={today()}
            max={dayAhead(LAST_EXPIRY)}
            error={wasSent ? wrong.expiry : undefined}
            hint={`Up to ${LAST_EXPIRY} days ahead. A task that is late blocks nothing.`}
            onChange={({ target }) => change({ expiry: target.value })}
          />
        </div>
        <label className={styles.choice}>
          <input type="checkbox" checked={content.teacherInput} onChange={({ target }) => change({ teacherInput: target.checked })} />
          <span>Teachers check the ranking and the grades of their classes</span>
        </label>
        {task && task.lowest >= 2 && <p className={styles.hint}>{taskMessages.mapsFixed}</p>}
        <MapTable
          tests={structure.tests}
          sets={yearGroup.sets.toSorted((a, b) => naturalOrder(a.name, b.name))}
          held={task?.sets ?? []}
          chosen={content.maps}
          fixed={task !== undefined && task.lowest >= 2}
          onChange={(maps) => change({ maps })}
        />
        {wasSent && wrong.maps && (
          <p role="alert" className={styles.error}>
            {wrong.maps}
          </p>
        )}
      </fieldset>
      {mayEdit && (
        <div className={styles.acts}>
          <Button type="submit" look={task ? 'quiet' : 'primary'} disabled={pending || isOvertaken || (task !== undefined && !isChanged)}>
            {task ? 'Save' : 'Add task'}
          </Button>
          {task && isChanged && <Button onClick={discard}>Discard changes</Button>}
        </div>
      )}
    </form>
  );
};

/** No task can be started without prior data: said before anything is typed. */
const PriorMissing = ({ yearGroup }: { readonly yearGroup: YearGroup }) => {
  const summary = usePriorSummary(yearGroup.yearGroupId);
  if (!summary.data || summary.data.exams.some(({ enough }) => enough)) return null;
  return (
    <Notice
      tone="warn"
      title={taskMessages.noPrior}
      actions={
        <Link className={buttonClass()} to={`/leader/prior${placeQuery(yearGroup, undefined)}`}>
          Upload prior data
        </Link>
      }
    >
      <p>{`At least ${ENOUGH_PRIOR} % of the year group need a score of one terminal exam.`}</p>
    </Notice>
  );
};

const contentOf = (task: Task | undefined): Content => ({
  name: task?.name ?? '',
  expiry: task?.expiry ?? dayAhead(DEFAULT_EXPIRY),
  teacherInput: task?.teacherInput ?? true,
  maps: new Set(task?.sets.flatMap(({ setId, tests }) => tests.map(({ testId }) => mapKey({ setId, testId })))),
});

const isSame = (a: Content, b: Content): boolean =>
  a.name.trim() === b.name.trim() && a.expiry === b.expiry && a.teacherInput === b.teacherInput && sameMaps(a.maps, b.maps);
const sameMaps = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && [...a].every((map) => b.has(map));

/** What was touched stays, beside what stood before; the rest is as it stands now. */
const followed = (before: Content, content: Content, now: Content) => {
  const name = content.name !== before.name && content.name.trim() !== now.name;
  const expiry = content.expiry !== before.expiry && content.expiry !== now.expiry;
  const teacherInput = content.teacherInput !== before.teacherInput && content.teacherInput !== now.teacherInput;
  const maps = !sameMaps(content.maps, before.maps) && !sameMaps(content.maps, now.maps);
  const withTouched = (of: Content): Content => ({
    name: name ? of.name : now.name,
    expiry: expiry ? of.expiry : now.expiry,
    teacherInput: teacherInput ? of.teacherInput : now.teacherInput,
    maps: maps ? of.maps : now.maps,
  });
  return { before: withTouched(before), content: withTouched(content) };
};

/** Only what was changed is sent, with what was seen. */
const changesOf = (taskId: string, before: Content, after: Content) => {
  const parts = (of: Content) => ({
    ...(after.name === before.name ? {} : { name: of.name.trim() }),
    ...(after.expiry === before.expiry ? {} : { expiry: of.expiry }),
    ...(after.teacherInput === before.teacherInput ? {} : { teacherInput: of.teacherInput }),
    ...(sameMaps(after.maps, before.maps) ? {} : { maps: [...of.maps].map(mapOf) }),
  });
  return { taskId, ...parts(after), was: parts(before) };
};

const wrongIn = ({ name, expiry, maps }: Content, expiryBefore: string) => ({
  name: name.trim() === '' ? TASK_REQUIRED : undefined,
  expiry: expiry === expiryBefore ? undefined : expiry === '' ? TASK_REQUIRED : wrongExpiry(expiry),
  maps: maps.size === 0 ? 'Choose at least one class with an assessment.' : undefined,
});
