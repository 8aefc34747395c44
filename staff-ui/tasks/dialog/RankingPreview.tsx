import type { RankingPreview as Preview } from '#api/tasks/ranking/ranking-preview.contract';
import type { Task } from '#api/tasks/task.contract';
import { flagsText } from '#api/tasks/task-fields.contract';
import { hashKey, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { sentence } from '../../../ui/api/failure.ts';
import { useApi } from '../../../ui/api/ApiProvider.tsx';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Confirm } from '../../../ui/controls/Confirm.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { FlaggedTotals, FlagTags } from '../ranking/FlaggedTotals.tsx';
import { rankText, residualText, scoreText } from '../ranking/figures.ts';
import { LongList } from '../ranking/LongList.tsx';
import { flaggedIn, namesInPreview, notices } from '../ranking/preview-notices.ts';
import { Rows } from '../ranking/Rows.tsx';
import styles from '../Steps.module.css';
import { Refusal, StepFoot } from './StepFoot.tsx';

type PreviewProps = {
  readonly task: Task;
  readonly terminalExamId: string;
  readonly testIds: readonly string[];
  readonly onDone: () => void;
};

/** What a ranking by these tests would make, and the button that makes it. */
export const RankingPreview = ({ task, terminalExamId, testIds, onDone }: PreviewProps) => {
  const api = useApi();
  const ask = { taskId: task.taskId, terminalExamId, testIds: [...testIds] };
  const queryKey = ['ranking-preview', ask];
  const preview = useQuery({
    queryKey,
    // Totals and prior data that are entered meanwhile make it stale.
    queryFn: ({ signal }) => api.ask('ranking-preview', ask, { signal, as: hashKey(queryKey) }),
    select: namesInPreview,
  });
  const [isAsked, setAsked] = useState(false);
  const { send, pending, error } = useCommand('RankTask', {
    showsError: true,
    input: ({ rankingId, digest, warnings }: Pick<Preview, 'rankingId' | 'digest' | 'warnings'>) => ({
      taskId: task.taskId,
      terminalExamId,
      testIds: [...testIds],
      was: rankingId,
      preview: digest,
      flaggedTotals: flaggedIn(warnings).map(({ studentId, testId, flag }) => ({ studentId, testId, flag })),
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
  const { refused, warnings, same } = preview.data;
  if (refused !== null) return <CannotRank task={task} why={refused} />;
  const flagged = flaggedIn(warnings);
  const act = actOf(task);
  return (
    <>
      {notices(preview.data).map(({ tone, title, texts, totals }) => (
        <Notice key={title} tone={tone} title={title}>
          {texts && <LongList rows={texts}>{(text) => <li key={text}>{text}</li>}</LongList>}
          {totals && <FlaggedTotals yearGroupId={task.yearGroupId} totals={totals} />}
        </Notice>
      ))}
      <p className="muted small">This is how it would be: nothing is stored yet.</p>
      <StepFoot>
        {error !== undefined && <Refusal of={error}>{sentence(error)}</Refusal>}
        <Button look="primary" disabled={pending || same} onClick={() => (flagged.length > 0 ? setAsked(true) : void send(preview.data))}>
          {act}
        </Button>
      </StepFoot>
      <PreviewTable preview={preview.data} />
      {isAsked && flagged.length > 0 && (
        <Confirm
          title="Rank by these totals as they are?"
          go={`${act} all the same`}
          stay="Look at them first"
          pending={pending}
          onGo={() => void send(preview.data)}
          onClose={() => setAsked(false)}
        >
          <p>
            {flagsText(flagged.map(({ flag }) => flag))}. Scores, ranks and grades would rest on the values that count until somebody
            decides or corrects them:
          </p>
          <FlaggedTotals yearGroupId={task.yearGroupId} totals={flagged} />
        </Confirm>
      )}
    </>
  );
};

const actOf = ({ ranking }: Task): string => (ranking ? 'Rank again' : 'Rank the students');

/** The button stays where it is, and says why it cannot be pressed. */
export const CannotRank = ({ task, why }: { readonly task: Task; readonly why: string }) => {
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

const HEADS = [
  { name: 'Ranking', numeric: true },
  { name: 'Name' },
  { name: 'Class' },
  { name: 'Prior', aside: true },
  { name: 'Score', numeric: true },
  { name: 'Residual', numeric: true },
  { name: 'Tests sat' },
];

/** The new ranking, with the current one beside it. */
const PreviewTable = ({ preview: { students } }: { readonly preview: Preview }) => (
  <Rows label="The ranking before it is stored" heads={HEADS} rows={students}>
    {({ studentId, name, setName, prior, sat, given, score, ranking, residual, totalFlags, was }) => (
      <tr key={studentId}>
        <td className="figure">
          {rankText(ranking)}
          {was && was.ranking !== ranking && <span className={styles.now}>was {rankText(was.ranking)}</span>}
        </td>
        <th scope="row">
          {name ?? 'Forgotten student'}
          <FlagTags totalFlags={totalFlags} />
        </th>
        <td>{setName}</td>
        <td className="not-on-phone">{prior ?? '–'}</td>
        <td className="figure">
          {scoreText(score)}
          {was && was.score !== score && <span className={styles.now}>was {scoreText(was.score)}</span>}
        </td>
        <td className="figure">{residualText(residual)}</td>
        <td>
          {sat} of {given}
        </td>
      </tr>
    )}
  </Rows>
);
