import type { ActUndone } from '#api/school/school.contract';
import { isRefused } from '../api/failure.ts';
import { ask } from '../feedback/ask.ts';
import type { SendCommand } from './useSend.ts';

/** Undoes an act; before it begins, what would stay as it is, and how many students leave, is said and asked about. Undefined: its author keeps all as it is. */
export const undoAct = async (command: SendCommand, subjectId: string, actId: string): Promise<ActUndone | undefined> => {
  try {
    return await command('UndoAct', { subjectId, actId });
  } catch (refusal) {
    const stays = isRefused(refusal, 'answers-needed') ? refusal.problem.asks?.stays : undefined;
    if (!stays) throw refusal;
    const isAgreed = await ask({ title: 'Undo it all the same?', text: stays.join(' '), go: 'Undo', stay: 'Keep everything' });
    return isAgreed ? command('UndoAct', { subjectId, actId, partly: true }) : undefined;
  }
};
