import type { RaRecord } from 'react-admin';

/** A record of /api/rest/teachers; `name` null: forgotten. */
export type Teacher = RaRecord<string> & {
  readonly subjectId: string;
  readonly name: string | null;
  readonly setIds: readonly string[];
  /** The names of the sets as one string. */
  readonly classes: string | null;
};

/** Validates a teacher's name as far as possible here. undefined: valid */
export const nameTrouble = (name: string, others: readonly (string | null)[]): string | undefined => {
  if (name.trim() === '') return 'Required.';
  const same = others.some((other) => other?.trim().toLowerCase() === name.trim().toLowerCase());
  return same ? 'Teacher name needs to be unique' : undefined;
};
