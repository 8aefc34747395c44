import type { RecentAct } from '#api/history/history.contract';
import { isRefused, sentence } from '../api/failure.ts';
import { ask } from '../feedback/ask.ts';
import { undoAct } from '../sending/undo-act.ts';
import type { SendCommand } from '../sending/useSend.ts';

/** Takes an act back, or brings it back. @returns what stays as it is, in sentences; undefined: its author keeps all as it is */
export const turn = async (command: SendCommand, subjectId: string, undo: RecentAct['undo']): Promise<readonly string[] | undefined> => {
  if (!undo) return undefined;
  switch (undo.by) {
    case 'UndoAct':
      return (await undoAct(command, subjectId, undo.actId))?.stays;
    case 'UndoCommand':
    case 'RedoCommand': {
      const { by, entryId, commandIds } = undo;
      // Whether much is taken back, or what a ranking rests on, is asked about once.
      let isAgreed = false;
      for (const commandId of commandIds) {
        // oxlint-disable-next-line no-await-in-loop -- the last first
        const isDone = await agreed(async (sure) => {
          isAgreed ||= sure;
          await (by === 'UndoCommand'
            ? command(by, { entryId, commandId, ask: !isAgreed })
            : command(by, { entryId, commandId, anyway: isAgreed }));
        });
        if (!isDone) return undefined;
      }
      return [];
    }
    case 'UndoPriorScores':
    case 'RedoPriorScores': {
      const { by, ...of } = undo;
      const isDone = await agreed(async (sure) => {
        await (by === 'UndoPriorScores' ? command(by, { subjectId, ...of, ask: !sure }) : command(by, { subjectId, ...of }));
      });
      return isDone ? [] : undefined;
    }
    case 'UndoRevisionChange':
    case 'RedoRevisionChange': {
      const { kept } = await command(undo.by, { subjectId, commandId: undo.commandId });
      return kept > 0
        ? [`${kept} of the changes stay${kept === 1 ? 's' : ''}: ${kept === 1 ? 'it was' : 'they were'} changed again since.`]
        : [];
    }
    case 'UndoQuestions':
      await command(undo.by, { testId: undo.testId, commandId: undo.commandId });
      return [];
    case 'DeleteAssessment':
    case 'RestoreAssessment':
      await command(undo.by, { testId: undo.testId });
      return [];
  }
};

/** Whether it was done, if the server asks first, after a question. */
const agreed = async (act: (isSure: boolean) => Promise<void>): Promise<boolean> => {
  try {
    await act(false);
    return true;
  } catch (refusal) {
    if (!isRefused(refusal, 'answers-needed')) throw refusal;
    const isAgreed = await ask({
      title: 'Go on all the same?',
      text: sentence(refusal),
      go: 'Go on',
      stay: 'Keep everything',
      removes: true,
    });
    if (isAgreed) await act(true);
    return isAgreed;
  }
};
