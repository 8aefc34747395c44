import { changesOf, deletion, renaming, words } from '../change.ts';
import type { Descriptions } from '../sentence.ts';
import { things } from '../sentence.ts';
import type { schemeEvents } from './scheme.ts';

export const schemeSentences: Descriptions<typeof schemeEvents> = {
  SchemeAdded: {
    says: ({ data }) => [`added the scheme of work ${data.name} to `, things('subject', data.subjectId)],
    changes: ({ id, data }) => changesOf('scheme', id, { Name: words(data.name) }),
  },
  SchemeRenamed: renaming('renamed a scheme of work to ', 'scheme', ({ id }) => id),
  SchemeTopicsChanged: {
    says: ({ id, data }) => ['changed the topics of the scheme of work ', things('scheme', id), `, now ${data.topics.length}`],
    changes: ({ id, data: { topics } }) => [
      ...changesOf('scheme', id, { Topics: things('topic', ...topics.map(({ topicId }) => topicId)) }),
      ...topics.flatMap(({ topicId, name }) => changesOf('topic', topicId, { Name: words(name) })),
    ],
  },
  SchemeDeleted: deletion('deleted the scheme of work ', 'scheme', true, ({ id }) => id),
  SchemeRestored: deletion('restored the scheme of work ', 'scheme', false, ({ id }) => id),
};
