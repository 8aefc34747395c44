import { isAmong } from '#api/contract/names';
import { wrongName } from '#api/contract/rules';
import type { RecordOf } from '../../data/record.ts';

/** A record of /api/rest/teachers; `name` null: forgotten. */
export type Teacher = RecordOf<'teachers'>;

/** Validates a teacher's name as far as possible here. undefined: valid */
export const nameTrouble = (name: string, others: readonly (string | null)[]): string | undefined => {
  const names = others.filter((other) => other !== null);
  return wrongName(name) ?? (isAmong(names, name) ? 'Teacher name needs to be unique' : undefined);
};
