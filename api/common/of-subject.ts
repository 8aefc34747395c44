import type { Subject } from '../../events/school/subject.ts';
import type { Context, Refused } from './command.ts';
import { refuse } from './command.ts';

/** Shared by the commands of a subject: its stream, and the refusal if there is no such subject. */
export const bySubject = ({ subjectId }: { readonly subjectId: string }): string => subjectId;

export const isThere = ({ name, removed }: Pick<Subject, 'name' | 'removed'>): boolean => name !== undefined && !removed;

/** A decision about the content of a subject: refused if there is no such subject. */
export const inSubject =
  <Input, Known, Decided>(decide: (input: Input, state: Subject, facts: Known, context: Context) => Decided) =>
  (input: Input, state: Subject, facts: Known, context: Context): Decided | Refused =>
    isThere(state) ? decide(input, state, facts, context) : refuse('not-found', NO_SUBJECT);

/** In SQL, of a table that names its subject: whether that is there. $1 school. */
export const subjectIsThere = (table: string): string =>
  `exists (select from subjects there where there.school_id = $1 and there.subject_id = ${table}.subject_id)`;

export const NO_SUBJECT = 'There is no such subject.';
export const NO_YEAR_GROUP = 'There is no such year group.';
