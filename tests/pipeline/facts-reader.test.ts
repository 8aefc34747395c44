import { expect, test } from 'vitest';
import type { Actor } from '../../api/actor.ts';
import type { Facts } from '../../api/common/facts.ts';
import { FactsReader } from '../../api/pipeline/facts-reader.ts';
import { memoryStore } from '../support/memory-store.ts';
import { ReadModelBehind } from '../../projections/engine/announcing/progress.ts';
import { sessionQuery } from '../../api/auth/log-in/session-actors.ts';
import { commands } from '../../api/commands.ts';

const schoolId = '00000000-0000-4000-8000-000000000001';
const actor: Actor = { accountId: schoolId, schoolId, role: 'admin', name: '', email: '', subjectIds: [], setIds: [], studentId: null };
const facts: Facts<unknown, string> = { models: ['results'], waits: true, load: async () => 'read' };

/** `steps`: where the read model is found after each wait in vain. Then it is there. */
const reading = async (steps: readonly bigint[]) => {
  const store = memoryStore();
  const event = (n: number) => ({ id: `00000000-0000-4000-8000-00000000000${n}`, type: 'MarksEntered', data: '{}', metadata: '{}' });
  for (const n of [1, 2, 3, 4, 5]) await store.append(`entry-${schoolId}.${n}`, [event(n)], 'none');
  const left = [...steps];
  let position = 0n;
  const reader = new FactsReader(
    {
      store,
      positions: () => new Map([['results', position]]),
      isAbout: () => true,
      waitFor: async (models) => {
        const next = left.shift();
        if (next === undefined) return;
        position = next;
        throw new ReadModelBehind(models);
      },
      readAs: (_school, work) => work(async () => []),
      askAs: async () => [],
      sessions: sessionQuery,
    },
    ['entry'],
  );
  return reader.read({ ...commands.EnterMarks, facts, rule: { of: [] } } as never, {}, actor);
};

test('after many saves at once a command waits for its read models as long as they come closer', async () => {
  expect(await reading([])).toMatchObject({ facts: 'read' });
  expect(await reading([1n, 2n, 4n])).toMatchObject({ facts: 'read' });
});

test('a command does not wait for a read model that stands still', async () => {
  await expect(reading([2n, 2n])).rejects.toThrow(ReadModelBehind);
});
