import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from '../faults.ts';
import type { ProposedEvent } from '../store/event.ts';
import type { Appended, Expected } from '../store/store.ts';
import type { Node } from './node.ts';

/** `silence`: no answer at all. */
export type Outcome =
  | Appended
  | (Appended & { kind: 'appended'; withoutPosition: true })
  | { kind: 'timeout' }
  | { kind: 'silence' }
  | { kind: 'cut' }
  | { kind: 'not ready' };

/** Appends, unless a fault prevents it. `late`: what to do with a delayed append whose client is gone or whose deadline has passed. */
export const perform = async (
  { writer, faults }: Node,
  request: Request & { stream: string },
  append: { events: readonly ProposedEvent[]; expected: Expected },
  late: () => { kind: 'silence' } | { kind: 'timeout' } | undefined,
): Promise<Outcome> => {
  if (faults.isSilent) {
    await faults.spoken();
    const end = late();
    if (end) return end;
  }
  const fault = faults.take(request);
  switch (fault?.kind) {
    case 'silence':
    case 'cut':
    case 'not ready':
    case 'timeout':
      return { kind: fault.kind };
    case 'wrong revision':
      return { kind: 'wrong', actual: writer.store.lastRevision(request.stream) };
    case 'slow':
      await pause(fault.ms);
  }

  const done = await writer.done(writer.store.append(request.stream, append.events, append.expected));
  // One that repeats another in flight waits for the server's own time-out.
  if (!done) {
    await pause(2_000 + Math.random() * 500);
    return { kind: 'timeout' };
  }
  if (faults.isSilent) await faults.spoken();
  switch (fault?.kind) {
    case 'written, silence':
      return { kind: 'silence' };
    case 'written, cut':
      return { kind: 'cut' };
    case 'written, timeout':
      return { kind: 'timeout' };
    case 'no position':
      return done.kind === 'appended' ? { ...done, withoutPosition: true } : done;
    default:
      return done;
  }
};
