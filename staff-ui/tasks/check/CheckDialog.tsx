import { studentsToldApart } from '#api/contract/names';
import { naturalOrder } from '#api/contract/order';
import type { RankedStudent, TaskRanking } from '#api/tasks/ranking/task-ranking.contract';
import { flagsText, taskMessages } from '#api/tasks/task-fields.contract';
import { useId, useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../../ui/api/failure.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { same } from '../../../ui/drafts/drafts.ts';
import { overtakenIn } from '../../../ui/drafts/overtaken.ts';
import { OvertakenNotice } from '../../../ui/drafts/OvertakenNotice.tsx';
import { discardAll, useSeen } from '../../../ui/drafts/useDraftStore.ts';
import { leaving, useUnsaved } from '../../../ui/session/unsaved.ts';
import { dateTime, some } from '../../format.ts';
import { Rows } from '../ranking/Rows.tsx';
import { TypedText } from './TypedText.tsx';
import { FlaggedTotals, flagsOf } from '../ranking/FlaggedTotals.tsx';
import { useScoreDialog } from '../ranking/ScoreDialog.tsx';
import styles from '../Steps.module.css';
import { CheckRow } from './CheckRow.tsx';
import type { CheckDrafts, CheckSeen, CheckInput } from './check-input.ts';
import {
  checkDraftLines,
  isCheckOvertaken,
  checkInputOf,
  checkInputText,
  hasCheckInput,
  isSameCheckInput,
  rowOf,
  wrongRank,
} from './check-input.ts';

type CheckDialogProps = {
  readonly taskId: string;
  readonly set: { readonly setId: string; readonly name: string };
  readonly kind: 'ranking' | 'grades';
  readonly open: boolean;
  readonly drafts: CheckDrafts;
  readonly onClose: () => void;
};

/** The teacher's check of a class: an own order, flags and comments, saved at once for the class. */
export const CheckDialog = ({ taskId, set, kind, open, drafts, onClose }: CheckDialogProps) => {
  const ranking = useQuestion('task-ranking', open ? { taskId, setId: set.setId } : undefined, undefined, studentsToldApart);
  const title = kind === 'ranking' ? 'Check the ranking' : 'Check the grades';
  const close = () => {
    discardAll(drafts);
    onClose();
  };
  const isReady = ranking.data?.ranking && (kind === 'ranking' || ranking.data.grades);
  const isGone = isRefused(ranking.error, 'not-found', 'not-your-set');
  const lines = checkDraftLines(useSeen(drafts).drafts);
  const isTyped = lines.length > 0;
  useUnsaved(isTyped && (isGone || !isReady), 'part');
  return (
    <Dialog size="wide" beforeClose={(close) => leaving('part', close)} title={`${title} – ${set.name}`} open={open} onClose={close}>
      {isGone ? (
        <>
          <Failure error={ranking.error} />
          {isTyped && (
            <div className="stack gap-3 pad">
              <p>{KEPT_OPEN}</p>
              <TypedText lines={lines} />
            </div>
          )}
        </>
      ) : ranking.data && isReady ? (
        <Check ranking={ranking.data} setId={set.setId} kind={kind} drafts={drafts} onClose={close} />
      ) : ranking.data ? (
        <EmptyState title={taskMessages.notYet}>
          The subject leader has taken back what was to be checked, or has not done it yet.
          {isTyped && ` ${KEPT_OPEN}`}
        </EmptyState>
      ) : ranking.error ? (
        <Failure error={ranking.error} retry={() => void ranking.refetch()} />
      ) : (
        <Skeleton rows={8} label="Loading the class" />
      )}
    </Dialog>
  );
};

const heads = (kind: 'ranking' | 'grades') => [
  { name: 'Ranking', numeric: true },
  { name: 'Name' },
  { name: 'Prior', aside: true },
  { name: 'Score', numeric: true },
  { name: 'Residual', numeric: true },
  { name: 'Totals' },
  { name: 'Tests sat', aside: true },
  ...(kind === 'ranking' ? [{ name: 'Your order' }] : [{ name: 'Your order', numeric: true, aside: true }, { name: 'Grade' }]),
  { name: 'Flag' },
  { name: 'Comment' },
];

const KEPT_OPEN = 'What you typed is kept while this dialog stays open.';
const KEPT = 'What you typed is kept, and not stored yet: look at it beside what stands now, then save.';
const RANKED_AGAIN = `The students were ranked again while you typed. ${KEPT}`;
const GRADED_AGAIN = `The grades were allocated again while you typed. ${KEPT}`;

type CheckProps = {
  readonly ranking: TaskRanking;
  readonly setId: string;
  readonly kind: 'ranking' | 'grades';
  readonly drafts: CheckDrafts;
  readonly onClose: () => void;
};

const Check = ({ ranking, setId, kind, drafts: store, onClose }: CheckProps) => {
  const { drafts } = useSeen(store);
  const { taskId, students } = ranking;
  const set = ranking.sets.find((one) => one.setId === setId);
  const check = kind === 'ranking' ? set?.rankingChecked : set?.gradesChecked;
  const status = set?.status ?? 0;
  const isOpen = kind === 'ranking' ? status === 2 || status === 3 : status === 4 || status === 5;
  const shownId = kind === 'ranking' ? ranking.ranking?.rankingId : ranking.grades?.gradesId;
  const { explain, dialog } = useScoreDialog(taskId);
  const flags = flagsOf(ranking, students);
  const tests = (ranking.ranking?.norms.tests ?? [])
    .map((test, place) => ({ ...test, place }))
    .toSorted((a, b) => naturalOrder(a.name, b.name));
  const saveId = useId();
  /** Of the pages that were opened. */
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const see = (shown: readonly RankedStudent[]) => setSeen((before) => new Set([...before, ...shown.map(({ studentId }) => studentId)]));
  const unseen = students.filter(({ studentId }) => !seen.has(studentId));
  const inputAbout = (student: RankedStudent): CheckInput => drafts[student.studentId]?.value ?? checkInputOf(student, kind);
  const storedAbout = (student: RankedStudent): CheckSeen => ({ input: checkInputOf(student, kind), of: shownId, name: student.name });
  const was = (student: RankedStudent): CheckInput => (drafts[student.studentId]?.saw ?? storedAbout(student)).input;
  const isChanged = students.some((student) => !isSameCheckInput(inputAbout(student), checkInputOf(student, kind)));
  useUnsaved(isChanged, 'part');
  const isWrong = students.some((student) => wrongRank(inputAbout(student).rank) !== undefined);
  const { send, pending } = useSend<void, unknown>({
    act: (_, command) => {
      const about = (of: (student: RankedStudent) => CheckInput) =>
        students.flatMap((student) => (hasCheckInput(of(student)) ? [rowOf(student, of(student))] : []));
      const flags = (of: (student: RankedStudent) => CheckInput) => about(of).map(({ teacherRank: _rank, ...flag }) => flag);
      return kind === 'ranking'
        ? command('CheckRanking', {
            taskId,
            setId,
            ...(ranking.ranking && { rankingId: ranking.ranking.rankingId }),
            rows: about(inputAbout),
            was: about(was),
          })
        : command('CheckGrades', {
            taskId,
            setId,
            ...(ranking.grades && { gradesId: ranking.grades.gradesId }),
            rows: flags(inputAbout),
            was: flags(was),
          });
    },
    invalidates: 'everything',
    notice: () => `${set?.name ?? 'The class'} is checked.`,
    onDone: onClose,
  });
  const change = (student: RankedStudent, part: Partial<CheckInput>) => {
    const [value, now] = [{ ...inputAbout(student), ...part }, storedAbout(student)];
    if (same(value, now.input)) store.discard([student.studentId]);
    else store.type({ [student.studentId]: { value, saw: now } });
  };
  /** While it is sent, it is one's own check that comes back. */
  const stored = pending ? [] : students.map((student) => [student.studentId, storedAbout(student)] as const);
  const overtaken = overtakenIn(store, stored, isCheckOvertaken);
  const isRankedAgain = students.some(({ studentId }) => drafts[studentId] && drafts[studentId].saw.of !== shownId);
  return (
    <>
      <div className="stack gap-3 pad">
        {isChanged && isRankedAgain && <Notice tone="warn" title={kind === 'ranking' ? RANKED_AGAIN : GRADED_AGAIN} />}
        {overtaken.keys.size > 0 && (
          <OvertakenNotice
            overtaken={overtaken}
            title={`${check?.by ?? 'Somebody else'} has checked this class while you typed, and says something else. Yours is not stored.`}
          >
            <ul className={styles.warnings}>
              {students
                .filter(({ studentId }) => overtaken.keys.has(studentId))
                .map((student) => (
                  <li key={student.studentId}>
                    {student.name ?? 'Forgotten student'}: you say {checkInputText(inputAbout(student))}, they say{' '}
                    {checkInputText(checkInputOf(student, kind))}
                  </li>
                ))}
            </ul>
          </OvertakenNotice>
        )}
        {check && (
          <Notice tone="good" title={`Checked by ${check.by ?? 'somebody who was forgotten'}, ${dateTime(check.at)}.`}>
            {isOpen && <p>It can be saved again.</p>}
          </Notice>
        )}
        {!isOpen && <Notice title={status < (kind === 'ranking' ? 2 : 4) ? taskMessages.notYet : taskMessages.pastCheck} />}
        {flags.length > 0 && (
          <Notice tone="warn" title={`${flagsText(flags.map(({ flag }) => flag))}.`}>
            <FlaggedTotals yearGroupId={ranking.yearGroupId} totals={flags} />
          </Notice>
        )}
        <p className="muted small">
          {kind === 'ranking'
            ? 'Your own order is advice to the subject leader: it does not change the ranking. Flag a student to comment.'
            : 'Flag a student whose grade you doubt, and say why. The subject leader decides.'}
        </p>
        {students.length === 0 ? (
          <EmptyState title="Nobody in this class is in the ranking">Students who join after the ranking are not in it.</EmptyState>
        ) : (
          <Rows
            label={kind === 'ranking' ? 'Ranking of the class' : 'Grades of the class'}
            heads={heads(kind)}
            rows={students}
            onEnd={() => document.getElementById(saveId)?.focus()}
            onShown={see}
          >
            {(student) => (
              <CheckRow
                key={student.studentId}
                student={student}
                tests={tests}
                kind={kind}
                input={inputAbout(student)}
                isOpen={isOpen}
                onChange={(part) => change(student, part)}
                onExplain={() => explain(student)}
              />
            )}
          </Rows>
        )}
      </div>
      <DialogFoot>
        {isChanged && <Button onClick={() => discardAll(store)}>Discard changes</Button>}
        <Button
          id={saveId}
          look="primary"
          className="breaks"
          disabled={!isOpen || pending || isWrong || overtaken.keys.size > 0 || (Boolean(check) && !isChanged)}
          onClick={() => void send()}
        >
          {kind === 'ranking' ? 'Save the check of the ranking' : 'Save the check of the grades'}
          {unseen.length > 0 && ` – not opened: ${some(unseen.map(({ name }) => name ?? 'Forgotten student'))}`}
        </Button>
      </DialogFoot>
      {dialog}
    </>
  );
};
