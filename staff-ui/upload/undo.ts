import { useMutation } from '@tanstack/react-query';
import { useApi, useMoved } from '../../ui/api/ApiProvider.tsx';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { uuid } from '../../ui/api/uuid.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { turnedText } from './outcome-text.ts';

/** An upload, identified by its command. */
export type UploadedCommand = { readonly entryId: string; readonly commandId: string; readonly name: string };
type Turn = { readonly command: UploadedCommand; readonly to: 'undone' | 'redone'; readonly key: string; readonly anyway?: boolean };

/** Undoes or redoes an upload, and offers the reverse in a toast, unless the caller shows the result itself (`quiet`). */
export const useUndo = ({ quiet = false }: { readonly quiet?: boolean } = {}) => {
  const api = useApi();
  const moved = useMoved();
  const toast = useToast();
  const { subject } = useSession();
  const mutation = useMutation({
    mutationFn: ({ command: { entryId, commandId }, to, key, anyway = false }: Turn) =>
      to === 'undone'
        ? api.command('UndoCommand', { entryId, commandId }, { key })
        : api.command('RedoCommand', { entryId, commandId, anyway }, { key }),
    onSuccess: ({ result }, { command, to }) => {
      if (subject) void moved([`marks:${subject.subjectId}`]);
      if (quiet) return;
      toast(
        to === 'undone'
          ? {
              tone: 'good',
              text: `${command.name} was undone. ${turnedText(result)}`,
              action: { label: 'Redo', run: () => turn(command, 'redone') },
            }
          : {
              tone: 'good',
              text: `${command.name} is in force again.${result.shared > 0 ? ` ${turnedText(result)}` : ''}`,
              action: { label: 'Undo', run: () => turn(command, 'undone') },
            },
      );
    },
    onError: (error, { command, to, key }) => {
      if (isRefused(error, 'answers-needed')) {
        const redo = () => mutation.mutate({ command, to, key: uuid(), anyway: true });
        toast({ tone: 'bad', text: `${command.name}: ${sentence(error)}`, action: { label: 'Redo anyway', run: redo } });
      } else if (!quiet)
        toast({ tone: 'bad', text: sentence(error), action: { label: 'Try again', run: () => mutation.mutate({ command, to, key }) } });
    },
  });
  const turn = (command: UploadedCommand, to: 'undone' | 'redone') => mutation.mutate({ command, to, key: uuid() });
  return {
    turn,
    busy: mutation.isPending ? mutation.variables.command.commandId : undefined,
    /** Whether the last undo or redo left the upload undone. */
    undone: mutation.variables !== undefined && (mutation.variables.to === 'undone') === mutation.isSuccess,
    /** What it did. */
    turned: mutation.data?.result,
    error: mutation.error,
  };
};
