import type { Descriptions } from '../sentence.ts';
import type { undoEvents } from './undo.ts';

/** Neither says what it changed: that is the marks of the command that it names, and whether that was an upload. */
export const undoSentences: Descriptions<typeof undoEvents> = {
  CommandUndone: { says: () => ['undid an upload or entry of marks'] },
  CommandRedone: { says: () => ['redid an upload or entry of marks'] },
};
