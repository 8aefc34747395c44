import type { RaRecord } from 'react-admin';

/** A record of /api/rest/teachers; `name` null: forgotten. */
export type Teacher = RaRecord<string> & {
  readonly subjectId: string;
  readonly name: string | null;
  readonly setIds: readonly string[];
  /** The names of the sets as one text. */
  readonly classes: string | null;
};

/** What is wrong with a teacher's name, as far as it can be seen here. undefined: nothing */
export const nameTrouble = (name: string, others: readonly (string | null)[]): string | undefined => {
  if (name.trim() === '') return 'Required.';
  const same = others.some((other) => other?.trim().toLowerCase() === name.trim().toLowerCase());
  return same ? 'Teacher name needs to be unique' : undefined;
};
