import { describe, expect, test } from 'vitest';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { Client } from '../support/client.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const { school } = await schoolOfFile();

/** How often the limit has refused, as Prometheus reads it. */
const refusedBy = async (limit: string): Promise<number> => {
  const text = await (await new Client(school).send('/api/metrics')).text();
  const line = text.split('\n').find((one) => one.startsWith(`marktrail_refused_by_limit_total{limit="${limit}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

describe('what a limit refuses', () => {
  test('is told with the time to wait, and counted in the metrics without saying who it was', async () => {
    const client = new Client(school);
    client.address = '198.51.100.23';
    const before = await refusedBy('error reports of strangers');
    const statuses: number[] = [];
    for (let n = 0; n < 302; n += 1) {
      const answer = await client.send('/api/errors', { method: 'POST', body: JSON.stringify({ message: 'a page failed' }) });
      statuses.push(answer.status);
      if (answer.status === 429) {
        expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
        expect(await answer.json()).toMatchObject({ code: 'rate-limited', title: authMessages.tooMany });
      }
    }
    expect(statuses.filter((status) => status === 429).length).toBe(2);
    expect((await refusedBy('error reports of strangers')) - before).toBe(2);
    expect(await (await client.send('/api/metrics')).text()).not.toContain('198.51.100.23');
  });

  test('is counted too where the answer must not tell it apart', async () => {
    const client = new Client(school);
    const before = await refusedBy('forgotten');
    for (let n = 0; n < 6; n += 1) await client.passed('password/forgotten', { email: 'somebody@nowhere.example' });
    expect((await refusedBy('forgotten')) - before).toBe(1);
  });
});
