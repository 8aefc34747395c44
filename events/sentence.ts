/**
 * What an event says in the record, in English: "uploaded 30 totals of Autumn test for 11X1 from totals.csv". Each noun's file
 * `*.sentences.ts` has a sentence for each of its types of event; one without does not compile (events/sentences.ts).
 *
 * A sentence names things by their ids only. Their names are read when the sentence is, so that a forgotten person has none.
 */
import type { EventTypes, ReadEventOf, Recorded, Sealed } from './codec/event.ts';
import { isForgotten } from './codec/event.ts';
import type { MarkValue } from './codec/columnar.ts';

export type ThingKind =
  | 'account'
  | 'assessment'
  | 'class'
  | 'exam'
  | 'gradeProfile'
  | 'header'
  | 'question'
  | 'scheme'
  | 'student'
  | 'subject'
  | 'task'
  | 'teacher'
  | 'topic'
  | 'yearGroup';

/** Some things of one kind. Up to three are named, more are counted: "11X1 and 11X2", "30 students". */
export type Things = { readonly kind: ThingKind; readonly ids: readonly string[] };

/** Words, or things in their place. */
export type Part = string | Things;

/** A sentence without its subject, beginning with a verb in the past tense, and without a full stop. */
export type Sentence = readonly Part[];

/**
 * What an event has set: of a thing, in a field ("Name", "Class", "Total"), the new value. `to`: null: none any more. `from`: what its author
 * saw there, where the event says so; else the record finds it in the event before that set the same field of the same thing.
 */
export type Change = {
  readonly of: ThingKind;
  readonly id: string;
  readonly field: string;
  /** the assessment or question, where the field is of a student in it */
  readonly in?: { readonly kind: ThingKind; readonly id: string };
  readonly to: ChangeValue;
  readonly from?: readonly ChangeValue[];
};
export type ChangeValue = MarkValue | boolean | null | Things | { readonly words: string };

/** `id`: of what the stream is of, its name's last part. */
export type Description<Event> = {
  readonly says: (event: Event & { readonly id: string }) => Sentence;
  readonly changes?: (event: Event & { readonly id: string }) => readonly Change[];
};

/** One for each type of event of a kind of streams. */
export type Descriptions<Types extends EventTypes> = {
  readonly [Type in keyof Types & string]: Description<Pick<Recorded<Extract<ReadEventOf<Types>, { type: Type }>>, 'data' | 'metadata'>>;
};

export const things = (kind: ThingKind, ...ids: readonly string[]): Things => ({ kind, ids });

/** `count(1, 'total')`: "1 total"; `count(2, 'class', 'classes')`. */
export const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;

/** A part of a sentence that a person has typed, or what stands for it once its author is forgotten. */
export const typed = <T>(part: Sealed<T>, text: (part: T) => string): string => (isForgotten(part) ? '(forgotten)' : text(part));
