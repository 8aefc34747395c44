import { expect } from 'vitest';
import type { Actor } from '../../api/actor.ts';
import type { AnyCommand, Command, Context } from '../../api/common/command.ts';
import { Refused } from '../../api/common/command.ts';
import { newId, uuidv5 } from '../../events/codec/ids.ts';
import { normalised } from '../../events/codec/tags.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import type { Roster } from '../../events/students/roster.ts';
import { roster } from '../../events/students/roster.ts';

/** A readable, stable id for a name. */
export const id = (name: string): string => uuidv5(name, '00000000-0000-4000-8000-000000000000');
/** The id generator for the command under test. */
export const made = (label: string): string => newId(id('command'), label);
/** The tag of a secret value. */
export const tagOf = (kind: 'admission-number' | 'teacher-name', value: string): string => `${kind} ${normalised(value)}`;

export const actor = (role: Actor['role'], more: Partial<Actor> = {}): Actor => ({
  accountId: id(role),
  schoolId: id('school'),
  role,
  name: '',
  email: '',
  subjectIds: [],
  setIds: [],
  studentId: null,
  ...more,
});

/** A past event; by whom and by which command, where that matters. */
export type Happened = MarktrailEvent & { readonly by?: string; readonly commandId?: string };

/**
 * What a command decides after some events:
 *
 *     given([opened]).when(RenameSchool, { name: 'Other' }).then([{ type: 'SchoolRenamed', data: { name: 'Other' } }]);
 *
 * The input goes through the command's schema; `facts` are what its facts would have read.
 */
export const given = (happened: readonly Happened[]) => ({
  when(command: AnyCommand, input: unknown, facts?: unknown, by: Actor = actor('admin'), commandId = id('command')) {
    const { input: schema, aggregate, decide } = command as unknown as Command<unknown, unknown, unknown>;
    const state = happened.map(recorded).reduce(aggregate.evolve, aggregate.initial());
    const parsed = schema.safeParse(input);
    const decided = (): readonly MarktrailEvent[] | Refused => {
      if (!parsed.success) throw new Error(`the input is not valid: ${parsed.error.message}`);
      return decide(parsed.data, state, facts, contextOf(by, commandId));
    };
    return {
      /** The events, or the refusal. */
      decided,
      // oxlint-disable-next-line unicorn/no-thenable -- given, when, then: nobody awaits it
      then: (events: readonly MarktrailEvent[]): void => expect(decided()).toEqual(events),
      /** Decides on no events. */
      nothing: (): void => expect(decided()).toEqual([]),
      /** Refuses with this sentence; `at`: the field at fault. */
      refused(sentence: string | RegExp, at?: string): void {
        const refusal = decided();
        expect(refusal).toBeInstanceOf(Refused);
        if (!(refusal instanceof Refused)) return;
        expect(refusal.title).toMatch(sentence);
        if (at !== undefined) expect(refusal.errors.map(({ path }) => path)).toContain(at);
      },
      /** The whole refusal. */
      refusal(): Refused {
        const refusal = decided();
        if (!(refusal instanceof Refused)) throw new Error(`it is not refused: ${JSON.stringify(refusal)}`);
        return refusal;
      },
      /** Rejects the input: the message of its schema. */
      invalid: (message: string): void => expect(parsed.error?.issues.map((issue) => issue.message)).toContain(message),
      events(): readonly MarktrailEvent[] {
        const events = decided();
        if (events instanceof Refused) throw new Error(`it is refused: ${events.title}`);
        return events;
      },
    };
  },
});

/** One command, with the input and facts that most cases have: a case says what has happened, and what is otherwise. */
export const deciding =
  (command: AnyCommand, input: object = {}, facts?: unknown, by?: Actor) =>
  (happened: readonly Happened[], more: object = {}, otherFacts: unknown = facts, otherBy: Actor | undefined = by) =>
    given(happened).when(command, { ...input, ...more }, otherFacts, otherBy);

/** The state that events of the roster fold to. */
export const stateOf = (happened: readonly Happened[]): Roster =>
  happened.map(recorded).reduce((state, event) => roster.evolve(state, event as never), roster.initial());

const contextOf = (by: Actor, commandId: string): Context => ({
  schoolId: by.schoolId,
  commandId,
  actor: by,
  at: new Date(),
  newId: (label) => newId(commandId, label),
  tag: tagOf,
});

const recorded = ({ by = id('admin'), commandId = id('earlier'), ...event }: Happened, index: number): RecordedEvent => ({
  ...event,
  id: id(`event ${index}`),
  stream: 'stream',
  revision: BigInt(index),
  position: BigInt(index + 1),
  metadata: {
    commandId,
    correlationId: commandId,
    causationId: commandId,
    actor: { accountId: by, role: 'admin', right: { by: 'role' } },
    at: '2026-01-01T00:00:00.000Z',
    bodyTag: '',
    schoolId: id('school'),
    schemaVersion: 1,
  },
});
