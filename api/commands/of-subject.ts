import type { Subject } from '../../events/subject.ts';

/** What the commands about a subject share: which stream is meant, whether there is such a subject, and what is said where there is none. */
export const bySubject = ({ subjectId }: { readonly subjectId: string }): string => subjectId;

export const isThere = ({ name, removed }: Pick<Subject, 'name' | 'removed'>): boolean => name !== undefined && !removed;

export const NO_SUBJECT = 'There is no such subject.';
export const NO_YEAR_GROUP = 'There is no such year group.';
