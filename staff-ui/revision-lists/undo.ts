import type { SendCommand } from '../../ui/sending/useSend.ts';

/** Takes a change back; the notice names what stays because colleagues use it. */
export const undoOf = (subjectId: string, commandId: string) => async (command: SendCommand) => {
  const { kept } = await command('UndoRevisionChange', { subjectId, commandId });
  return kept === 0
    ? 'Undone.'
    : `Undone. ${kept === 1 ? 'A topic header stays' : `${kept} topic headers stay`}: questions stand under ${kept === 1 ? 'it' : 'them'} by now.`;
};
