import type { PriorUploads as Uploads } from '#api/prior/prior.contract';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useIsRead } from '../moment.ts';
import { counted } from '../format.ts';
import { useUndoQuestion } from '../marks/upload/UndoQuestion.tsx';
import { UploadList, UploadRow } from '../marks/upload/UploadList.tsx';
import { usePriorUploads } from './queries.ts';

type Upload = Uploads['uploads'][number];
type Turn = { readonly upload: Upload; readonly anyway?: boolean };

/** Who uploaded or typed which scores of the exam, newest first, each with Undo. */
export const PriorUploads = ({ terminalExamId }: { readonly terminalExamId: string }) => {
  const uploads = usePriorUploads(terminalExamId);
  if (uploads.error) return <Failure error={uploads.error} retry={() => void uploads.refetch()} />;
  if (!uploads.data || uploads.data.uploads.length === 0) return null;
  return (
    <Section title="Recent uploads">
      <UploadList>
        {uploads.data.uploads.map((upload) => (
          <Row key={upload.commandId} upload={upload} terminalExamId={terminalExamId} />
        ))}
      </UploadList>
    </Section>
  );
};

const Row = ({ upload, terminalExamId }: { readonly upload: Upload; readonly terminalExamId: string }) => {
  const { scores, yearCompleted, at, by, undone } = upload;
  const isRead = useIsRead();
  const { turn, busy } = useTurnPrior(terminalExamId);
  return (
    <UploadRow name={uploadName(upload)} at={at} by={by} undone={undone} mayTurn={!isRead} busy={busy} onTurn={() => turn(upload)}>
      {counted(scores, 'score')}, completed in {yearCompleted}
    </UploadRow>
  );
};

const uploadName = ({ kind, fileName }: Upload): string => (kind === 'hand' ? 'Entered manually' : (fileName ?? 'An upload'));

/** Undoes an upload, of much after a question, or brings it back. */
const useTurnPrior = (terminalExamId: string) => {
  const subjectId = useSession().subject?.subjectId ?? '';
  const toast = useToast();
  const ask = useUndoQuestion();
  const { send, pending } = useSend({
    invalidates: ['prior'],
    showsError: true,
    act: ({ upload: { commandId, undone }, anyway = false }: Turn, command) =>
      undone
        ? command('RedoPriorScores', { subjectId, terminalExamId, commandId })
        : command('UndoPriorScores', { subjectId, terminalExamId, commandId, ask: !anyway }),
    notice: ({ undone }, { upload }) => `${uploadName(upload)}: ${undone ? 'undone. What stood before counts again.' : 'in force again.'}`,
    onFailed: (failure, { upload }) => {
      if (!isRefused(failure, 'answers-needed')) return toast({ tone: 'bad', text: sentence(failure) });
      const amount = counted(failure.problem.asks?.scores ?? 0, 'score');
      return ask({ name: uploadName(upload), text: sentence(failure), amount, undo: () => void send({ upload, anyway: true }) });
    },
  });
  return { turn: (upload: Upload) => void send({ upload }), busy: pending };
};
