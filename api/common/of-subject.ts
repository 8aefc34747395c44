import type { z } from 'zod';
import type { Subject } from '../../events/school/subject.ts';
import { subject } from '../../events/school/subject.ts';
import type { AnyCommand, Context, Decider } from './command.ts';
import { command, refuse } from './command.ts';

/** Shared by the commands of a subject: its stream, and the refusal if there is no such subject. */
export const bySubject = ({ subjectId }: { readonly subjectId: string }): string => subjectId;

export const isThere = ({ name, removed }: Pick<Subject, 'name' | 'removed'>): boolean => name !== undefined && !removed;

/** A command about what a subject holds, on the subject's own stream: refused if there is no such subject. */
export const subjectCommand = <Input extends { readonly subjectId: string }, Result extends z.ZodType, Known = undefined>(
  definition: Decider<z.ZodType<Input>, Result, Subject, Known>,
): AnyCommand => ({
  ...command({ ...definition, aggregate: subject, streamId: bySubject }),
  decide: (input: never, state: Subject, facts: never, context: Context) =>
    isThere(state) ? definition.decide(input, state, facts, context) : refuse('not-found', NO_SUBJECT),
});

/** In SQL, of a table that names its subject: whether that is there. $1 school. */
export const subjectIsThere = (table: string): string =>
  `exists (select from subjects there where there.school_id = $1 and there.subject_id = ${table}.subject_id)`;

export const NO_SUBJECT = 'There is no such subject.';
export const NO_YEAR_GROUP = 'There is no such year group.';
