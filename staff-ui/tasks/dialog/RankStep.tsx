import type { RankingPreview } from '#api/tasks/ranking/ranking-preview.contract';
import type { Task } from '#api/tasks/task.contract';
import { flagsText, NO_TEST, taskMessages } from '#api/tasks/task-fields.contract';
import { hashKey, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { sentence } from '../../../ui/api/failure.ts';
import { useApi } from '../../../ui/api/ApiProvider.tsx';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { counted, dateTime, some } from '../../format.ts';
import { usePriorSummary } from '../../prior/queries.ts';
import { useMayLead } from '../may-lead.ts';
import type { NamedFlag } from '../ranking/FlaggedTotals.tsx';
import { FlaggedTotals } from '../ranking/FlaggedTotals.tsx';
import { scoreText } from '../ranking/figures.ts';
import { PreviewTable } from '../ranking/PreviewTable.tsx';
import { RankingTable } from '../ranking/RankingTable.tsx';
import styles from '../Steps.module.css';
import { Refusal, StepFoot } from './StepFoot.tsx';
import { isFlagged, namesInPreview, warningText } from '../ranking/warnings.ts';

/** Step 3: by which prior exam and tests the students are ranked; what it would make; the ranking that stands. */
export const RankStep = ({ task }: { readonly task: Task }) => {
  const mayRank = useMayLead() && task.lowest < 4;
  const [isAgain, setAgain] = useState(false);
  const isChoosing = mayRank && (task.ranking === null || isAgain);
  const gone = task.ranking?.testIds.filter((testId) => task.offered.every((test) => test.testId !== testId)).length ?? 0;
  return (
    <>
      {task.ranking && (
        <p>
          Ranked by {task.ranking.by ?? 'somebody who was forgotten'}, {dateTime(task.ranking.at)}: {task.ranking.ranked} of{' '}
          {counted(task.ranking.students, 'student')}
          {task.ranking.formula === 'client'
            ? '. The ranking was made in another program and sent: its scores are not computed here.'
            : `, prior data of ${task.ranking.exam ?? 'an exam that was removed'}.`}
        </p>
      )}
      {gone > 0 && <p className={styles.hint}>{goneText(gone)}</p>}
      {!mayRank && !task.ranking && <p className={styles.hint}>{taskMessages.notRanked}</p>}
      {!mayRank && task.lowest >= 4 && task.status < 6 && <p className={styles.hint}>{taskMessages.reopenFirst}</p>}
      {task.ranking && mayRank && (
        <div className={styles.acts}>
          {!isAgain && <Button onClick={() => setAgain(true)}>Rank again</Button>}
          <RemoveRanking taskId={task.taskId} rankingId={task.ranking.rankingId} />
        </div>
      )}
      {isChoosing && <Choose key={task.ranking?.rankingId} task={task} onDone={() => setAgain(false)} />}
      {task.ranking && !isAgain && <RankingTable task={task} />}
    </>
  );
};

/** Its totals stay in the ranking (docs/decisions/16-a-ranking-keeps-a-deleted-assessment.md). */
const goneText = (many: number): string =>
  many === 1
    ? '1 of its tests was deleted since, or has no totals any more: it still counts in this ranking, and no longer if you rank again.'
    : `${many} of its tests were deleted since, or have no totals any more: they still count in this ranking, and no longer if you rank again.`;

const Choose = ({ task, onDone }: { readonly task: Task; readonly onDone: () => void }) => {
  const summary = usePriorSummary(task.yearGroupId);
  const exams = summary.data?.exams.filter(({ scores }) => scores > 0) ?? [];
  const [examId, setExam] = useState(task.ranking?.terminalExamId ?? undefined);
  const exam = exams.find(({ terminalExamId }) => terminalExamId === examId) ?? exams.find(({ enough }) => enough) ?? exams[0];
  const [testIds, setTests] = useState<readonly string[]>(() => {
    const taskTests = task.offered.filter((test) => test.inTask).map(({ testId }) => testId);
    // A ranking that was made elsewhere names no tests.
    if (task.ranking?.formula === 'client') return taskTests;
    return task.ranking?.testIds.filter((testId) => task.offered.some((test) => test.testId === testId)) ?? taskTests;
  });
  if (summary.error) return <Failure error={summary.error} retry={() => void summary.refetch()} />;
  if (!summary.data) return <Skeleton rows={4} label="Loading prior data" />;
  if (!exam) return <CannotRank task={task} why={taskMessages.noPrior} />;
  return (
    <>
      <div className={styles.fields}>
        <Select label="Prior data" value={exam.terminalExamId} onChange={({ target }) => setExam(target.value)}>
          {exams.map(({ terminalExamId, name, scores }) => (
            <option key={terminalExamId} value={terminalExamId}>
              {name} ({scores} of {counted(summary.data.students, 'student')})
            </option>
          ))}
        </Select>
      </div>
      <fieldset className={styles.choices}>
        <legend>Tests</legend>
        {task.offered.map(({ testId, name, entered, inTask }) => (
          <label key={testId} className={styles.choice}>
            <input
              type="checkbox"
              checked={testIds.includes(testId)}
              onChange={({ target }) =>
                setTests(task.offered.map((test) => test.testId).filter((one) => (one === testId ? target.checked : testIds.includes(one))))
              }
            />
            <span>
              {name}{' '}
              <span className={styles.hint}>
                {counted(entered, 'total')}
                {inTask ? '' : ', not of this task'}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {testIds.length === 0 ? (
        <CannotRank task={task} why={NO_TEST} />
      ) : (
        <Preview task={task} terminalExamId={exam.terminalExamId} testIds={testIds} onDone={onDone} />
      )}
      {task.ranking && (
        <p>
          <Button onClick={onDone}>Keep the ranking that stands</Button>
        </p>
      )}
    </>
  );
};

const actOf = ({ ranking }: Task): string => (ranking ? 'Rank again' : 'Rank the students');

/** The button stays where it is, and says why it cannot be pressed. */
const CannotRank = ({ task, why }: { readonly task: Task; readonly why: string }) => {
  const id = useId();
  return (
    <>
      <div id={id}>
        <Notice tone="warn" title={why} />
      </div>
      <StepFoot>
        <Button look="primary" disabled aria-describedby={id}>
          {actOf(task)}
        </Button>
      </StepFoot>
    </>
  );
};

type PreviewProps = {
  readonly task: Task;
  readonly terminalExamId: string;
  readonly testIds: readonly string[];
  readonly onDone: () => void;
};

const Preview = ({ task, terminalExamId, testIds, onDone }: PreviewProps) => {
  const api = useApi();
  const ask = { taskId: task.taskId, terminalExamId, testIds: [...testIds] };
  const queryKey = ['ranking-preview', ask];
  const preview = useQuery({
    queryKey,
    // It follows totals and prior data that are entered meanwhile.
    queryFn: ({ signal }) => api.ask('ranking-preview', ask, { signal, as: hashKey(queryKey) }),
    select: namesInPreview,
  });
  const [isAsked, setAsked] = useState(false);
  const { send, pending, error } = useCommand('RankTask', {
    showsError: true,
    input: ({ rankingId, digest, warnings }: Pick<RankingPreview, 'rankingId' | 'digest' | 'warnings'>) => ({
      taskId: task.taskId,
      terminalExamId,
      testIds: [...testIds],
      was: rankingId,
      preview: digest,
      flaggedTotals: namedFlags(warnings).map(({ studentId, testId, flag }) => ({ studentId, testId, flag })),
    }),
    notice: ({ rankingId }) =>
      rankingId === null ? 'Nothing has changed: the ranking is the one that stood.' : 'The students are ranked.',
    undo: ({ rankingId }, { rankingId: was }) =>
      was !== null || rankingId === null
        ? undefined
        : async (command) => {
            await command('RemoveRanking', { taskId: task.taskId, rankingId });
            return 'The ranking was removed.';
          },
    work: () => 'Ranking the students',
    onDone,
    onFailed: () => {
      setAsked(false);
      return preview.refetch();
    },
  });
  if (preview.error && !preview.data) return <Failure error={preview.error} retry={() => void preview.refetch()} />;
  if (!preview.data) return <Skeleton rows={8} label="Working out the ranking" />;
  const { refused, warnings, changes, voids, decisions, same } = preview.data;
  if (refused !== null) return <CannotRank task={task} why={refused} />;
  const flagged = namedFlags(warnings);
  const others = warnings.filter((warning) => !isFlagged(warning));
  const act = actOf(task);
  return (
    <>
      {flagged.length > 0 && (
        <Notice tone="warn" title={`${flagsText(flagged.map(({ flag }) => flag))}. Decide or correct them before you rank`}>
          <FlaggedTotals yearGroupId={task.yearGroupId} totals={flagged} />
        </Notice>
      )}
      {others.length > 0 && (
        <Notice tone="warn" title="Look at this before you rank">
          <Warnings texts={others.map(warningText)} />
        </Notice>
      )}
      {changes && <Notice title={same ? 'Nothing would change: it is the ranking that stands.' : changesText(changes)} />}
      {voids.length > 0 && !same && (
        <Notice
          tone="warn"
          title={`Checks that would be void: ${some(voids.map(({ name }) => name))}. Their teachers have to check again.`}
        />
      )}
      {decisions.gone.length > 0 && (
        <Notice tone="warn" title="Decided by hand, and gone with the ranking that stands:">
          <Warnings texts={decisions.gone.map(byHandText)} />
        </Notice>
      )}
      {decisions.kept.length > 0 && (
        <Notice title="Decided by hand, and kept, because these students still have no score:">
          <Warnings texts={decisions.kept.map(byHandText)} />
        </Notice>
      )}
      <p className={styles.hint}>This is how it would be: nothing is stored yet.</p>
      <StepFoot>
        {error !== undefined && <Refusal of={error}>{sentence(error)}</Refusal>}
        <Button look="primary" disabled={pending || same} onClick={() => (flagged.length > 0 ? setAsked(true) : void send(preview.data))}>
          {act}
        </Button>
      </StepFoot>
      <PreviewTable preview={preview.data} />
      <Dialog title="Rank by these totals as they are?" open={isAsked && flagged.length > 0} onClose={() => setAsked(false)}>
        <div className={styles.explained}>
          <p>
            {flagsText(flagged.map(({ flag }) => flag))}. Scores, ranks and grades would rest on the values that count until somebody
            decides or corrects them:
          </p>
          <FlaggedTotals yearGroupId={task.yearGroupId} totals={flagged} />
        </div>
        <DialogFoot>
          <Button onClick={() => setAsked(false)}>Look at them first</Button>
          <Button look="primary" disabled={pending} onClick={() => void send(preview.data)}>
            {act} all the same
          </Button>
        </DialogFoot>
      </Dialog>
    </>
  );
};

const namedFlags = (warnings: RankingPreview['warnings']): readonly NamedFlag[] =>
  warnings.filter(isFlagged).map(({ about, ...total }) => ({ ...total, flag: about }));

/** 'Adams, Ann: rank 3, score 50.00', 'Evans, Tom: exempt' */
const byHandText = ({ name, ranking, score, exempt }: RankingPreview['decisions']['gone'][number]): string =>
  `${name ?? 'Forgotten student'}: ${[
    ...(exempt ? ['exempt'] : []),
    ...(ranking === null ? [] : [`rank ${ranking}`]),
    ...(score === null ? [] : [`score ${scoreText(score)}`]),
  ].join(', ')}`;

const SHOWN = 8;

const Warnings = ({ texts }: { readonly texts: readonly string[] }) => {
  const [isAll, setAll] = useState(false);
  return (
    <>
      <ul className={styles.warnings}>
        {(isAll ? texts : texts.slice(0, SHOWN)).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {texts.length > SHOWN && !isAll && (
        <Button look="plain" onClick={() => setAll(true)}>
          Show all {texts.length}
        </Button>
      )}
    </>
  );
};

const changesText = ({ scores, rankings, joined, left }: NonNullable<RankingPreview['changes']>): string =>
  [
    `${counted(scores, 'student')} would have another score, ${rankings} another ranking`,
    joined > 0 ? `${joined} would be new in it` : undefined,
    left.length > 0 ? `${some(left.map(({ name }) => name ?? 'a forgotten student'))} would not be in it any more` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join('; ') + '.';

const RemoveRanking = ({ taskId, rankingId }: { readonly taskId: string; readonly rankingId: string }) => {
  const [isAsked, setAsked] = useState(false);
  const { send, pending } = useCommand('RemoveRanking', {
    input: () => ({ taskId, rankingId }),
    notice: () => 'The ranking was removed.',
    onDone: () => setAsked(false),
  });
  return (
    <>
      <Button look="remove" onClick={() => setAsked(true)}>
        Remove ranking
      </Button>
      <Dialog title="Remove the ranking?" open={isAsked} onClose={() => setAsked(false)}>
        <p className={styles.ask}>
          Scores, ranks, what was decided by hand, and what teachers have said about them go with it. The totals stay, and the students can
          be ranked again.
        </p>
        <DialogFoot>
          <Button onClick={() => setAsked(false)}>Keep it</Button>
          <Button look="danger" disabled={pending} onClick={() => void send()}>
            Remove ranking
          </Button>
        </DialogFoot>
      </Dialog>
    </>
  );
};
