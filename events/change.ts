/** What files of sentences share: how they write what an event has set, and words that several of them need. */
import type { Sealed } from './codec/event.ts';
import type { Change, ChangeValue, Description, ThingKind } from './sentence.ts';
import { things, typed } from './sentence.ts';

/** The new values of a thing, by field. `inside`: of what they are of, where a student has several of a kind. */
export const changesOf = (
  of: ThingKind,
  id: string,
  values: Readonly<Record<string, ChangeValue>>,
  inside?: Required<Change>['in'],
): readonly Change[] =>
  Object.entries(values).map(([field, to]) => ({ of, id, field, ...(inside && { in: inside }), to: isNothing(to) ? null : to }));

const isNothing = (value: ChangeValue): boolean => typeof value === 'object' && value !== null && 'ids' in value && value.ids.length === 0;

export const words = (text: string): { readonly words: string } => ({ words: text });

/** null: none */
export const wordsOrNone = (text: string | null): ChangeValue => (text === null ? null : words(text));

/** Of a person, in changes only: a sentence names people by their ids. */
export const nameOf = (person: Sealed<{ readonly name: string }>): ChangeValue => words(typed(person, ({ name }) => name));

/** Of a type of event that deletes (`deleted`) or restores a thing. */
export const deletion = <Event>(
  verb: string,
  of: ThingKind,
  deleted: boolean,
  idOf: (event: Event & { readonly id: string }) => string,
): Description<Event> => ({
  says: (event) => [verb, things(of, idOf(event))],
  changes: (event) => changesOf(of, idOf(event), { Deleted: deleted }),
});

/** Of a type of event that renames a thing. */
export const renaming = <Event extends { readonly data: { readonly name: string } }>(
  verb: string,
  of: ThingKind,
  idOf: (event: Event & { readonly id: string }) => string,
): Description<Event> => ({
  says: ({ data }) => [verb + data.name],
  changes: (event) => changesOf(of, idOf(event), { Name: words(event.data.name) }),
});

/** "12 March 2026", from a day as events have it. */
export const day = (date: string): string => DAY.format(new Date(date));
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** "a, b and c" */
export const enumeration = (parts: readonly string[]): string => LIST.format(parts);
const LIST = new Intl.ListFormat('en-GB');
