import type { RecordOf } from '../data/record.ts';

/** A record of /api/rest/teachers; `name` null: forgotten. */
export type Teacher = RecordOf<'teachers'>;

/** Validates a teacher's name as far as possible here. undefined: valid */
export const nameTrouble = (name: string, others: readonly (string | null)[]): string | undefined => {
  if (name.trim() === '') return 'Required.';
  const same = others.some((other) => other?.trim().toLowerCase() === name.trim().toLowerCase());
  return same ? 'Teacher name needs to be unique' : undefined;
};
