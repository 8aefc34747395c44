import type { RecordOf } from '../../data/record.ts';
import { counted } from '../../format.ts';

/** `topicId` omitted: not stored yet. `mapped`: something is mapped to it. */
export type Topic = { readonly topicId?: string; readonly name: string; readonly mapped?: boolean };

/** A record of /api/rest/schemes. */
export type Scheme = RecordOf<'schemes'>;

/** What would be removed with a scheme of work, in words. */
export const whatGoes = ({ topics }: Scheme): string => {
  if (topics.length === 0) return 'It is empty so far.';
  const mapped = topics.filter(({ mapped }) => mapped).length;
  const mappings = mapped === 0 ? '' : `, and what is mapped to ${mapped} of them`;
  return `Its ${counted(topics.length, 'topic')} will be hidden with it${mappings}. Undo brings everything back.`;
};
