import type { RaRecord } from 'react-admin';

/** A record of /api/rest/teachers; `name` null: forgotten. */
export type Teacher = RaRecord<string> & { readonly subjectId: string; readonly name: string | null; readonly setIds: readonly string[] };
export type Named = RaRecord<string> & { readonly name: string };
