import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import type { CommandMetadata } from '../../events/codec/event.ts';
import { type Forgotten, forgotten } from '../../events/codec/event.ts';
import { uuidv5 } from '../../events/codec/ids.ts';
import { KeyMissing, type KeyRing, PersonForgotten } from '../../events/codec/keys.ts';
import type { NewEvent, RecordedEvent } from '../../events/store/port.ts';

/** A uuid that stays the same from run to run. */
export const uuid = (name: string): string => uuidv5(name, '6ba7b810-9dad-11d1-80b4-00c04fd430c8');

export const school = uuid('school');
export const author = uuid('author');

export const metadata = (command = uuid('command')): CommandMetadata => ({
  commandId: command,
  correlationId: command,
  causationId: command,
  actor: { accountId: author, role: 'leader', right: { by: 'subject', subjectId: uuid('subject') } },
  at: '2026-09-01T08:30:00.000Z',
  bodyTag: 'AAAAAAAAAAAAAAAAAAAAAA',
});

/**
 * Keys that follow from the person's id, so that a file holds for ever what they sealed. Keeps the promises of the ring over PostgreSQL:
 * a key exists once somebody wrote with it, or, with `everybody`, always.
 */
export const keysInMemory = ({ everybody = false } = {}): Pick<KeyRing, 'forWriting' | 'forReading' | 'forget'> & {
  readonly queries: string[][];
} => {
  const made = new Set<string>();
  const gone = new Set<string>();
  const queries: string[][] = [];
  const keyOf = (person: string): KeyObject => createSecretKey(createHash('sha256').update(`test key ${person}`).digest());
  return {
    queries,
    async forWriting(_school, persons) {
      for (const person of persons) {
        if (gone.has(person)) throw new PersonForgotten(person);
        made.add(person);
      }
      return new Map(persons.map((person) => [person, keyOf(person)]));
    },
    async forReading(persons) {
      queries.push([...persons]);
      return new Map(
        persons.map((person): [string, KeyObject | Forgotten] => {
          if (gone.has(person)) return [person, forgotten];
          if (!everybody && !made.has(person)) throw new KeyMissing(person);
          return [person, keyOf(person)];
        }),
      );
    },
    async forget(person) {
      gone.add(person);
    },
  };
};

/** Events as they would come back from the store, from a revision on. */
export const recorded = (events: readonly NewEvent[], stream = `entry-${school}.${uuid('entry')}`, from = 0n): RecordedEvent[] =>
  events.map((event, index) => ({ ...event, stream, revision: from + BigInt(index), position: 1000n + from + BigInt(index) }));

/** `EventStore.read` over a list. */
export const reader = (events: readonly RecordedEvent[]) =>
  async function* read(stream: string, from: bigint): AsyncIterable<RecordedEvent> {
    for (const event of events) if (event.stream === stream && event.revision >= from) yield event;
  };
