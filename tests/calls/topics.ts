import { expect } from 'vitest';
import { bindings } from './bindings.ts';
import type { Cases } from './case.ts';

const maps = { may: ['admin', 'auditor', 'leader'], given: bindings } as const;

export const topicsCases: Cases = {
  'GET /topics/1': {
    ...maps,
    ask: ({ school: { ids } }) => ({ query: { data: ids.maths } }),
    right: async ({ world, body }) => {
      const { topicId } = await bindings(world);
      expect(body).toEqual([
        {
          TopicID: expect.any(String) as string,
          TopicName: 'Number',
          children: [{ TopicID: expect.any(String) as string, TopicName: 'Fractions', children: [] }],
        },
        { TopicID: topicId, TopicName: 'Algebra', children: [] },
      ]);
    },
  },
  'GET /topics/2': {
    ...maps,
    ask: ({ school: { ids } }) => ({ query: { data: ids.maths } }),
    right: async ({ world, body }) => {
      const { topicId } = await bindings(world);
      expect(body).toContainEqual({ TopicID: topicId, TopicName: 'Algebra' });
    },
  },
  'GET /topics/3': {
    may: ['admin', 'auditor', 'leader', 'scienceLeader'],
    given: bindings,
    ask: () => ({}),
    right: ({ world: { school }, body }) =>
      expect(body).toContainEqual({ subjectid: school.ids.maths, subject_name: 'Mathematics', Title: 'Mathematics' }),
  },
  'GET /topics/4': {
    ...maps,
    ask: ({ school: { ids } }) => ({ query: { data: ids.maths } }),
    right: async ({ world, body }) => {
      const { topicId } = await bindings(world);
      expect(body).toContainEqual({ TopicID: topicId, TopicName: 'Algebra', Parent: null });
    },
  },
};
