import type { RaRecord } from 'react-admin';

/** `topicId` left out: not stored yet. `mapped`: something is mapped to it. */
export type Topic = { readonly topicId?: string; readonly name: string; readonly mapped?: boolean };

/** A record of /api/rest/schemes. */
export type Scheme = RaRecord<string> & {
  readonly subjectId: string;
  readonly name: string;
  readonly sets: number;
  readonly topics: readonly Topic[];
};
