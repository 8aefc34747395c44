import type { RaRecord } from 'react-admin';

/** A record of /api/rest/teachers; `name` null: forgotten. */
export type Teacher = RaRecord<string> & {
  readonly subjectId: string;
  readonly name: string | null;
  readonly setIds: readonly string[];
  /** The names of the sets as one text. */
  readonly classes: string | null;
};
export type Named = RaRecord<string> & { readonly name: string };
