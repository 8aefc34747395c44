import { ENOUGH_PRIOR } from '#api/prior/prior-score.contract';
import type { Structure } from '#api/school/school.contract';
import type { EnteredTotals } from '#api/tasks/entered-totals.contract';
import type { Task } from '#api/tasks/task-answers.contract';
import type { Untold } from '#api/tasks/task-fields.contract';
import { DEFAULT_EXPIRY, LAST_EXPIRY, TASK_REQUIRED, taskMessages, toldText, wrongExpiry } from '#api/tasks/task-fields.contract';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { sentence } from '../../../ui/api/failure.ts';
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
import { MapTable } from './MapTable.tsx';
import type { OfferedMaps } from './maps.ts';
import { mapKey, mapOf, offeredMaps } from './maps.ts';
import { missingText, presetMaps } from './preset.ts';
import { Refusal, StepFoot } from './StepFoot.tsx';
import { UntoldNotice } from '../UntoldNotice.tsx';
import styles from '../Steps.module.css';

type Content = { readonly name: string; readonly expiry: string; readonly teacherInput: boolean; readonly maps: ReadonlySet<string> };

/** A task that was just made, and whom no mail tells of it. */
export type MadeTask = { readonly taskId: string; readonly untold: readonly Untold[] };

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
  /** What stood when the user began to type. */
  const [before, setBefore] = useState(() => ({
    ...contentOf(task),
    ...(!task && { maps: presetMaps(entered ?? [], maps.isOffered) }),
  }));
  const [content, setContent] = useState(before);
  /** Fields that were not touched follow what others save. */
  const [seen, setSeen] = useState(task);
  if (task && task !== seen) {
    setSeen(task);
    const next = followed(before, content, contentOf(task));
    setBefore(next.before);
    setContent(next.content);
  }
  /** How often it was to be saved and something was wrong with it. */
  const [refused, setRefused] = useState(0);
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
    showsError: true,
    notice: ({ told, untold }) => `${content.name.trim()} was added. ${toldText(told, untold)}`,
    onDone: ({ taskId, untold }) => {
      setBefore(content);
      onMade?.({ taskId, untold });
    },
  });
  const edit = useCommand('EditFeedbackTask', {
    input: () => changesOf(task?.taskId ?? '', before, content),
    showsError: true,
    notice: ({ told, untold }) => (told + untold.length === 0 ? 'Saved.' : `Saved. ${toldText(told, untold)}`),
    onDone: () => setBefore(content),
  });
  const wrong = wrongIn(content, before.expiry);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (wrong.name ?? wrong.expiry ?? wrong.maps) return setRefused(refused + 1);
    void (task ? edit : create).send();
  };
  const pending = create.pending || edit.pending;
  const refusal = create.error ?? edit.error;
  const discard = () => {
    const now = contentOf(task);
    setBefore(now);
    setContent(now);
  };
  const change = (part: Partial<Content>) => setContent({ ...content, ...part });
  return (
    <form id={formId} className={styles.form} onSubmit={save} noValidate>
      {!task && <PriorMissing yearGroup={yearGroup} />}
      <UntoldNotice untold={edit.answer?.untold} />
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
        <label className={styles.choice}>
          <input type="checkbox" checked={content.teacherInput} onChange={({ target }) => change({ teacherInput: target.checked })} />
          <span>Teachers check the ranking and the grades of their classes</span>
        </label>
        {task && task.lowest >= 2 && <p className={styles.hint}>{taskMessages.mapsFixed}</p>}
        <MapTable
          maps={maps}
          entered={entered}
          chosen={content.maps}
          fixed={task !== undefined && task.lowest >= 2}
          onChange={(chosen) => change({ maps: chosen })}
        />
        <Missing maps={maps} entered={entered?.filter((one) => content.maps.has(mapKey(one))) ?? []} />
      </fieldset>
      {mayEdit && (
        <StepFoot>
          {refused > 0 && wrongLines(wrong).length > 0 && <Refusal of={refused}>{wrongLines(wrong).join(' ')}</Refusal>}
          {refusal !== undefined && <Refusal of={refusal}>{sentence(refusal)}</Refusal>}
          {task && isChanged && <Button onClick={discard}>Discard changes</Button>}
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

/** Who of the classes that are ticked has no total, where somebody has. */
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

/** As the foot of the dialog says them, where their fields may be out of sight. */
const wrongLines = ({ name, expiry, maps }: ReturnType<typeof wrongIn>): readonly string[] => [
  ...(name === undefined ? [] : [`Task name: ${name}.`]),
  ...(expiry === undefined ? [] : [`Expiry date: ${expiry}`]),
  ...(maps === undefined ? [] : [maps]),
];

const wrongIn = ({ name, expiry, maps }: Content, expiryBefore: string) => ({
  name: name.trim() === '' ? TASK_REQUIRED : undefined,
  expiry: expiry === expiryBefore ? undefined : expiry === '' ? TASK_REQUIRED : wrongExpiry(expiry),
  maps: maps.size === 0 ? 'Choose at least one class with an assessment.' : undefined,
});
