import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf } from '../codec/event.ts';
import { event } from '../codec/event.ts';
import { id } from '../fields.ts';

/** Storage contract of `undo-{schoolId}.{entryId}`: which commands of an entry were undone and redone. */
export const undoEvents = {
  CommandUndone: event(1, z.strictObject({ entryId: id, commandId: id })),
  CommandRedone: event(1, z.strictObject({ entryId: id, commandId: id })),
};

export type UndoEvent = EventOf<typeof undoEvents>;
export type Undo = { undone: Set<string> };

export const undo: Aggregate<Undo, UndoEvent> = {
  category: 'undo',
  initial: () => ({ undone: new Set() }),
  evolve: (state, { type, data }) => {
    if (type === 'CommandUndone') state.undone.add(data.commandId);
    else state.undone.delete(data.commandId);
    return state;
  },
};
