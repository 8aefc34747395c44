import type { QuestionRow } from '#api/assessments/questions-file.contract';
import type { HeldQuestion } from '#api/contract/questions';
import type { AssessmentContents } from '#api/assessments/assessments.contract';
import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { FilePicker } from '../../ui/file/FilePicker.tsx';
import type { Failed } from '../../ui/file/UploadFailure.tsx';
import { UploadFailure } from '../../ui/file/UploadFailure.tsx';
import { Pager } from '../../ui/table/Pager.tsx';
import { Table } from '../../ui/table/Table.tsx';
import { isRefused } from '../../ui/api/failure.ts';
import { useCommand } from '../../ui/sending/useSend.ts';
import { FormDialog, Typed } from '../dialog/FormDialog.tsx';
import { counted } from '../format.ts';
import { seenPaper } from './paper.ts';
import { heldBy, useWhich } from './useWhich.ts';
import { WhichQuestions } from './WhichQuestions.tsx';

const PAGE = 10;

type UploadDialogProps = {
  /** Updated live. */
  readonly contents: AssessmentContents;
  readonly refetch: () => Promise<unknown>;
  readonly onClose: () => void;
};

/** Uploads a CSV file of questions: shows its rows, ten per page, then saves them as the paper. */
export const UploadDialog = ({ contents, refetch, onClose }: UploadDialogProps) => {
  const [chosen, setChosen] = useState<{ readonly file: File; readonly rows: readonly QuestionRow[] }>();
  const [unreadable, setUnreadable] = useState<Failed>();
  const which = useWhich(contents, chosen?.rows ?? NO_ROWS);

  const { testId } = contents;
  const {
    send,
    pending: saving,
    error,
    forget,
  } = useCommand('UploadQuestions', {
    input: () => ({ testId, questions: which.file, was: seenPaper(contents), answers: which.answers }),
    notice: () => 'Data uploaded successfully!',
    undo: ({ changed, commandId }) => (changed ? (command) => command('UndoQuestions', { testId, commandId }) : undefined),
    onDone: onClose,
    // What would be replaced, or what hangs on it, has changed: show it again.
    onFailed: (failure) => (isRefused(failure, 'precondition-failed', 'answers-needed') ? refetch() : undefined),
    showsError: true,
  });

  const choose = async (file: File) => {
    setChosen(undefined);
    setUnreadable(undefined);
    forget();
    const { parseQuestions } = await import('#api/assessments/questions-file.contract');
    const parsed = parseQuestions({ name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) });
    if (parsed.ok) setChosen({ file, rows: parsed.rows });
    else setUnreadable({ of: 'file', refused: parsed });
  };

  return (
    <FormDialog title={`Upload questions of ${contents.name}`} onClose={onClose} size="fit">
      <Typed when={chosen !== undefined && !saving} />
      <div className="stack gap-4 pad">
        <FilePicker
          file={chosen?.file}
          onFile={(file) => void choose(file)}
          template={`${import.meta.env.BASE_URL}assessment_upload.csv`}
        />
        <UploadFailure failed={unreadable ?? (error === undefined ? undefined : { of: 'server', error })} />
        {chosen && <Replaced contents={contents} />}
        {chosen && <WhichQuestions choices={which.choices} leaving={which.leaving} onChoose={which.choose} />}
        {chosen && <FileRows rows={chosen.rows} contents={contents} />}
      </div>
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={!chosen || saving || !which.isReady} onClick={() => void send()}>
          {saving ? 'Saving…' : 'Save questions'}
        </Button>
      </DialogFoot>
    </FormDialog>
  );
};

const NO_ROWS: readonly QuestionRow[] = [];

const Replaced = ({ contents }: { readonly contents: AssessmentContents }) =>
  contents.questions.length > 0 && (
    <Notice tone="warn" title={`These take the place of the ${counted(contents.questions.length, 'question')} there are now.`} />
  );

type RowsProps = { readonly rows: readonly QuestionRow[]; readonly contents: AssessmentContents };

const FileRows = ({ rows, contents: { questions } }: RowsProps) => {
  const [page, setPage] = useState(0);
  return (
    <>
      <Table label="Questions of the file" isList>
        <thead>
          <tr>
            <th scope="col" className="figure">
              Question No
            </th>
            <th scope="col">Topic</th>
            <th scope="col" className="figure">
              Max Mark
            </th>
            {questions.length > 0 && <th scope="col">There now</th>}
          </tr>
        </thead>
        <tbody>
          {rows.slice(page * PAGE, (page + 1) * PAGE).map(({ number, topic, max }) => (
            <tr key={number}>
              <td className="figure">{number}</td>
              <td className="breaks">{topic}</td>
              <td className="figure">{max}</td>
              {questions.length > 0 && <Now question={questions[number - 1]} topic={topic} max={max} />}
            </tr>
          ))}
        </tbody>
      </Table>
      <Pager page={page} size={PAGE} count={rows.length} onPage={setPage} of="questions" />
    </>
  );
};

type NowProps = { readonly question: HeldQuestion | undefined; readonly topic: string; readonly max: number };

/** What stands under a number now, and what hangs on it. */
const Now = ({ question, topic, max }: NowProps) => (
  <td className="breaks">
    {question === undefined
      ? 'nothing'
      : question.topic === topic && question.marksAvailable === max
        ? 'the same'
        : `${question.topic} (${question.marksAvailable})`}
    {question && heldBy(question) !== '' && <div className="muted tiny">{heldBy(question)}</div>}
  </td>
);
