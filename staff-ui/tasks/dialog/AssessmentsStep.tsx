import { ENOUGH_PRIOR } from '#api/prior/prior-score.contract';
import type { Structure } from '#api/school/school.contract';
import type { EnteredTotals } from '#api/tasks/entered-totals.contract';
import type { Task } from '#api/tasks/task.contract';
import type { NotNotified } from '#api/tasks/task-fields.contract';
import { LAST_EXPIRY, TASK_REQUIRED, taskMessages, notifiedText, wrongExpiryFrom } from '#api/tasks/task-fields.contract';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { sentence } from '../../../ui/api/failure.ts';
import { overtakenIn } from '../../../ui/drafts/overtaken.ts';
import { OvertakenNotice } from '../../../ui/drafts/OvertakenNotice.tsx';
import { discardAll, useMemoryDrafts, useSeen } from '../../../ui/drafts/useDraftStore.ts';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { useUnsaved } from '../../../ui/session/unsaved.ts';
import { counted } from '../../format.ts';
import { usePriorSummary } from '../../prior/queries.ts';
import type { YearGroup } from '../../shell/place.ts';
import { placeQuery, setsInOrder } from '../../shell/place.ts';
import { dayAhead, today } from '../days.ts';
import { useMayLead } from '../may-lead.ts';
import type { Content, ContentDrafts } from './task-content.ts';
import { changedIn, contentOf, fieldsOf, isContentOvertaken, keepTypedOver, partsOf, typeContent } from './task-content.ts';
import { MapTable } from './MapTable.tsx';
import type { OfferedMaps } from './maps.ts';
import { mapKey, mapOf, offeredMaps, missingText, presetMaps, presetText } from './maps.ts';
import { Refusal, StepFoot } from './StepFoot.tsx';
import { notifiedTone, NotNotifiedNotice } from '../NotNotifiedNotice.tsx';
import styles from '../Steps.module.css';

/** A task that was just created, and the teachers who are not notified of it. */
export type MadeTask = { readonly taskId: string; readonly notNotified: readonly NotNotified[] };

type AssessmentsStepProps = {
  /** undefined: a new one */
  readonly task: Task | undefined;
  readonly structure: Structure;
  readonly yearGroup: YearGroup;
  readonly onMade?: (made: MadeTask) => void;
};

/** Step 1: what the task is called, until when, whether teachers check it, and which classes sit which assessments for it. */
export const AssessmentsStep = (props: AssessmentsStepProps) => {
  const { task, structure, yearGroup } = props;
  const totals = useQuestion('entered-totals', { yearGroupId: yearGroup.yearGroupId });
  const maps = offeredMaps(structure.tests, setsInOrder(yearGroup), task?.sets ?? []);
  // A new task begins with what the totals tell; without them it can be made all the same.
  if (totals.isPending && !task) return <Skeleton rows={8} label="Loading totals" />;
  return <Assign {...props} maps={maps} entered={totals.data?.entered} />;
};

type AssignProps = AssessmentsStepProps & { readonly maps: OfferedMaps; readonly entered: EnteredTotals['entered'] | undefined };

const Assign = ({ task, yearGroup, onMade, maps, entered }: AssignProps) => {
  const { subject } = useSession();
  const formId = useId();
  /** What a new task begins with. */
  const [preset] = useState(() => ({ ...contentOf(undefined), maps: [...presetMaps(entered ?? [], maps.isOffered)].toSorted() }));
  const [presetHint] = useState(() => entered && presetText(entered, maps));
  const now = task ? contentOf(task) : preset;
  const store = useMemoryDrafts<Content[keyof Content], Content[keyof Content]>();
  const { drafts } = useSeen(store);
  const content = { ...now, ...fieldsOf(drafts, 'value') };
  const changed = changedIn(drafts, now);
  /** How often saving was refused because of wrong fields. */
  const [refused, setRefused] = useState(0);
  const isChanged = Object.keys(changed).length > 0;
  useUnsaved(isChanged, 'part');
  const mayEdit = useMayLead() && task?.status !== 6;
  const create = useCommand('CreateFeedbackTask', {
    input: () => ({
      subjectId: subject?.subjectId ?? '',
      yearGroupId: yearGroup.yearGroupId,
      name: content.name.trim(),
      expiry: content.expiry,
      teacherInput: content.teacherInput,
      maps: content.maps.map(mapOf),
    }),
    showsError: true,
    notice: ({ notified, notNotified }) => ({
      text: `${content.name.trim()} was added. ${notifiedText(notified, notNotified)}`,
      tone: notifiedTone({ notified, notNotified }),
    }),
    onDone: ({ taskId, notNotified }) => {
      discardAll(store);
      onMade?.({ taskId, notNotified });
    },
  });
  const edit = useCommand('EditFeedbackTask', {
    input: (sent: ContentDrafts) => ({
      taskId: task?.taskId ?? '',
      ...partsOf(fieldsOf(sent, 'value')),
      was: partsOf(fieldsOf(sent, 'saw')),
    }),
    showsError: true,
    notice: ({ notified, notNotified }) =>
      notified + notNotified.length === 0
        ? 'Saved.'
        : { text: `Saved. ${notifiedText(notified, notNotified)}`, tone: notifiedTone({ notified, notNotified }) },
  });
  const wrong = wrongIn(content, fieldsOf(drafts, 'saw').expiry ?? now.expiry);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (wrong.name ?? wrong.expiry ?? wrong.maps) return setRefused(refused + 1);
    if (!task) return void create.send();
    // It stays in the fields until the task has been read again.
    if (isChanged) void edit.send(changed).then((isStored) => isStored && keepTypedOver(store, changed));
  };
  const pending = create.pending || edit.pending;
  const refusal = create.error ?? edit.error;
  /** While it is sent, what comes back is one's own change. */
  const overtaken = overtakenIn(store, pending ? [] : Object.entries(now), isContentOvertaken);
  const isOvertaken = overtaken.keys.size > 0;
  const change = (part: Partial<Content>) => typeContent(store, now, part);
  return (
    <form id={formId} className="stack gap-4" onSubmit={save} noValidate>
      {!task && <PriorMissing yearGroup={yearGroup} />}
      <NotNotifiedNotice notNotified={edit.answer?.notNotified} />
      {isOvertaken && (
        <OvertakenNotice
          overtaken={overtaken}
          title="Somebody else has already changed what you are changing here. Your change is not stored."
        />
      )}
      <fieldset className={`stack gap-4 ${styles.choices}`} disabled={!mayEdit}>
        <div className={styles.fields}>
          <Field
            label="Task name"
            value={content.name}
            maxLength={100}
            error={refused > 0 ? wrong.name : undefined}
            onChange={({ target }) => change({ name: target.value })}
          />
          <Field
            label="Expiry date"
            type="date"
            value={content.expiry}
            min={today()}
            max={dayAhead(LAST_EXPIRY)}
            error={refused > 0 ? wrong.expiry : undefined}
            hint={`Up to ${LAST_EXPIRY} days ahead. A task that is late blocks nothing.`}
            onChange={({ target }) => change({ expiry: target.value })}
          />
        </div>
        <label className="tick">
          <input type="checkbox" checked={content.teacherInput} onChange={({ target }) => change({ teacherInput: target.checked })} />
          <span>Teachers check the ranking and the grades of their classes</span>
        </label>
        {!task && presetHint !== undefined && <p className="muted small">{presetHint}</p>}
        {task && task.lowest >= 2 && <p className="muted small">{taskMessages.mapsFixed}</p>}
        <MapTable
          maps={maps}
          entered={entered}
          chosen={new Set(content.maps)}
          fixed={task !== undefined && task.lowest >= 2}
          onChange={(chosen) => change({ maps: [...chosen].toSorted() })}
        />
        <Missing maps={maps} entered={entered?.filter((one) => content.maps.includes(mapKey(one))) ?? []} />
      </fieldset>
      {mayEdit && (
        <StepFoot>
          {refused > 0 && wrongLines(wrong).length > 0 && <Refusal of={refused}>{wrongLines(wrong).join(' ')}</Refusal>}
          {refusal !== undefined && <Refusal of={refusal}>{sentence(refusal)}</Refusal>}
          {task && isChanged && <Button onClick={() => discardAll(store)}>Discard changes</Button>}
          <Button
            type="submit"
            form={formId}
            look={task ? 'quiet' : 'primary'}
            disabled={pending || isOvertaken || (task !== undefined && !isChanged)}
          >
            {task ? 'Save' : 'Add task'}
          </Button>
        </StepFoot>
      )}
    </form>
  );
};

/** No task can be started without prior data: this says so before anything is typed. */
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
      <p>{`At least ${ENOUGH_PRIOR} % of the year group need a score in one terminal exam.`}</p>
    </Notice>
  );
};

/** The students without a total, of the ticked classes in which somebody has one. */
const Missing = ({ maps, entered }: { readonly maps: OfferedMaps; readonly entered: EnteredTotals['entered'] }) => {
  const sets = new Map(maps.sets.map(({ setId, name }) => [setId, name]));
  const tests = new Map(maps.offered.map(({ testId, name }) => [testId, name]));
  const lines = entered.flatMap((one) => {
    const text = missingText(one);
    return text === undefined ? [] : [{ key: mapKey(one), where: `${sets.get(one.setId) ?? ''}, ${tests.get(one.testId) ?? ''}`, text }];
  });
  if (lines.length === 0) return null;
  return (
    <details className={styles.missing}>
      <summary>
        Without a total:{' '}
        {counted(
          entered.reduce((all, { missing }) => all + missing.length, 0),
          'student',
        )}
      </summary>
      <ul className={styles.warnings}>
        {lines.map(({ key, where, text }) => (
          <li key={key}>
            {where}: {text}
          </li>
        ))}
      </ul>
    </details>
  );
};

/** For the foot of the dialog: the fields themselves may be out of sight. */
const wrongLines = ({ name, expiry, maps }: ReturnType<typeof wrongIn>): readonly string[] => [
  ...(name === undefined ? [] : [`Task name: ${name}.`]),
  ...(expiry === undefined ? [] : [`Expiry date: ${expiry}`]),
  ...(maps === undefined ? [] : [maps]),
];

const wrongIn = ({ name, expiry, maps }: Content, expiryBefore: string) => ({
  name: name.trim() === '' ? TASK_REQUIRED : undefined,
  expiry: expiry === expiryBefore ? undefined : expiry === '' ? TASK_REQUIRED : wrongExpiryFrom(expiry, today()),
  maps: maps.length === 0 ? 'Choose at least one class with an assessment.' : undefined,
});
