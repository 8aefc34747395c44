import { setTimeout as delay } from 'node:timers/promises';
import { MAX_APPEND_WEIGHT, weightOf } from '../store/check-append.ts';
import { AppendTooLarge, EventIdTaken, OutcomeUnknown, WrongExpectedRevision } from '../store/port.ts';
import type { EventStore, RecordedEvent, StreamEvent } from '../store/port.ts';
import { TransferError, type LogTarget } from './log.ts';

/**
 * Any event store, through the port. Consecutive events of one stream go out in one append; the appends are sent one after the other,
 * because only an answered append is certain to come before the next.
 */
export const storeLog = (store: EventStore, name: string): LogTarget => ({
  name,

  events: () => inPortions(store.readAll('start')),

  async append(events) {
    for (const run of runsOf(events)) await appendRun(store, run, name);
  },

  close: () => store.close(),
});

const appendRun = async (store: EventStore, run: Run, name: string): Promise<void> => {
  const [{ stream, revision, type, id }] = run;
  for (let attempt = 1; ; attempt++) {
    try {
      await store.append(stream, run, revision === 0n ? 'none' : revision - 1n);
      return;
    } catch (error) {
      if (error instanceof WrongExpectedRevision || error instanceof EventIdTaken)
        throw new TransferError(`Another program writes to ${name} (${error.message}): stop it, and begin with an empty log.`);
      if (error instanceof SyntaxError || error instanceof RangeError)
        throw new TransferError(`${name} rejects ${type} ${id}: ${error.message}.`);
      if (error instanceof AppendTooLarge) {
        const [one, other] = halves(run);
        if (!other) throw new TransferError(`${name} rejects ${type} ${id} (${error.message}): raise its limit for appends.`);
        await appendRun(store, one, name);
        return await appendRun(store, other, name);
      }
      // The same ids at the same revision are written once, however often they are sent.
      if (!(error instanceof OutcomeUnknown) || attempt === 5) throw error;
      await delay(attempt * 200);
    }
  }
};

/** Consecutive events of one stream, at least one. */
type Run = readonly [StreamEvent, ...StreamEvent[]];

/** As many as fit into one append. */
function* runsOf(events: readonly StreamEvent[]): Generator<Run> {
  let run: [StreamEvent, ...StreamEvent[]] | undefined;
  let weight = 0;
  for (const event of events) {
    const added = weightOf(event);
    if (run && run[0].stream === event.stream && weight + added <= MAX_APPEND_WEIGHT) {
      run.push(event);
      weight += added;
      continue;
    }
    if (run) yield run;
    run = [event];
    weight = added;
  }
  if (run) yield run;
}

/** Two runs, of a run of one event only the first. */
const halves = ([first, ...rest]: Run): readonly [Run, Run?] => {
  const middle = Math.floor(rest.length / 2);
  const [second, ...others] = rest.slice(middle);
  return second
    ? [
        [first, ...rest.slice(0, middle)],
        [second, ...others],
      ]
    : [[first]];
};

async function* inPortions(events: AsyncIterable<RecordedEvent>): AsyncGenerator<readonly RecordedEvent[]> {
  let portion: RecordedEvent[] = [];
  let characters = 0;
  for await (const event of events) {
    portion.push(event);
    characters += event.data.length + event.metadata.length;
    if (characters < PORTION_CHARACTERS && portion.length < PORTION_EVENTS) continue;
    yield portion;
    portion = [];
    characters = 0;
  }
  if (portion.length > 0) yield portion;
}

const PORTION_CHARACTERS = 1024 * 1024;
const PORTION_EVENTS = 1000;
