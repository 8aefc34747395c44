import type { ApiRefusal } from '../../../ui/api/failure.ts';
import { isRefused, sentence } from '../../../ui/api/failure.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import { counted } from '../../format.ts';
import { turnedText } from './outcome-text.ts';
import { useUndoQuestion } from './UndoQuestion.tsx';

/** An upload, identified by its command. */
export type UploadedCommand = { readonly entryId: string; readonly commandId: string; readonly name: string };
type Turn = { readonly command: UploadedCommand; readonly to: 'undone' | 'redone'; readonly anyway?: boolean };

/** Undoes or redoes an upload, if it holds much after a question, and offers the reverse in a toast, unless the caller shows the result itself (`quiet`). */
export const useUndo = ({ quiet = false }: { readonly quiet?: boolean } = {}) => {
  const toast = useToast();
  const ask = useUndoQuestion();
  const { send, pending, asked, error, answer } = useSend({
    invalidates: ['marks'],
    showsError: true,
    act: ({ command: { entryId, commandId }, to, anyway = false }: Turn, command) =>
      to === 'undone'
        ? command('UndoCommand', { entryId, commandId, ask: !anyway })
        : command('RedoCommand', { entryId, commandId, anyway }),
    onDone: (turned, { command, to }) => {
      if (quiet) return;
      toast(
        to === 'undone'
          ? {
              tone: 'good',
              text: `${command.name} was undone. ${turnedText(turned)}`,
              action: { label: 'Redo', run: () => turn(command, 'redone') },
            }
          : {
              tone: 'good',
              text: `${command.name} is in force again.${turned.shared > 0 ? ` ${turnedText(turned)}` : ''}`,
              action: { label: 'Undo', run: () => turn(command, 'undone') },
            },
      );
    },
    onFailed: (failure, failed) => {
      if (isQuestion(failure, failed)) {
        const amount = counted(failure.problem.asks?.marks ?? 0, 'mark');
        ask({ name: failed.command.name, text: sentence(failure), amount, undo: () => void send({ ...failed, anyway: true }) });
      } else if (isRefused(failure, 'answers-needed')) {
        const redo = () => void send({ ...failed, anyway: true });
        toast({ tone: 'bad', text: `${failed.command.name}: ${sentence(failure)}`, action: { label: 'Redo anyway', run: redo } });
      } else if (!quiet) toast({ tone: 'bad', text: sentence(failure), action: { label: 'Try again', run: () => void send(failed) } });
    },
  });
  const turn = (command: UploadedCommand, to: 'undone' | 'redone') => void send({ command, to });
  return {
    turn,
    busy: pending ? asked?.command.commandId : undefined,
    /** Whether the last undo or redo left the upload undone. */
    undone: asked !== undefined && (asked.to === 'undone') === (answer !== undefined),
    turned: answer,
    error: asked && isQuestion(error, asked) ? undefined : error,
  };
};

/** Whether the server asks before it undoes. */
const isQuestion = (error: unknown, { to }: Turn): error is ApiRefusal => to === 'undone' && isRefused(error, 'answers-needed');
