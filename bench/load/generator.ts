/** A process that sends saves of one cell, over one persistent connection per person, like a grid in a browser. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job, Outcome, Typist } from './job.ts';

process.on('message', (job: Job) => {
  run(job).then(
    (outcome) => process.send!(outcome),
    (error: unknown) => process.send!({ failed: error instanceof Error ? error.message : String(error) }),
  );
});

const run = async ({ url, typists, ms, thinkMs, patient = false }: Job): Promise<Outcome> => {
  const agent = new Agent({ keepAlive: true, maxSockets: typists.length });
  const target = new URL('/api/commands/EnterMarks', url);
  const latencies: number[] = [];
  let stored = 0;
  let refused = 0;
  let told = 0;

  const start = performance.now();
  await Promise.all(
    typists.map(async (typist) => {
      if (thinkMs > 0) await pause(Math.random() * thinkMs);
      for (const save of savesOf(typist)) {
        const sent = performance.now();
        if (sent - start > ms) return;
        const key = randomUUID();
        let answer = await post(agent, target, typist.cookie, save, key);
        for (; patient && answer.retryAfter !== undefined; told += 1) {
          await pause(Number(answer.retryAfter) * 1000);
          answer = await post(agent, target, typist.cookie, save, key);
        }
        if (isStored(answer)) stored += 1;
        else refused += 1;
        latencies.push(performance.now() - sent);
        if (thinkMs > 0) await pause(thinkMs * (0.5 + Math.random()));
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return { perSecond: stored / seconds, stored, refused, told, latencies };
};

/** Saves cell by cell, in each round another mark, with the previous one as seen. */
function* savesOf({ entryId, subjectId, testId, studentIds, questionIds }: Typist): Generator<string> {
  let seq = 0;
  for (let was: number[] = [], is = 1; ; was = [is], is = is === 1 ? 2 : 1) {
    for (const studentId of studentIds) {
      for (const questionId of questionIds) {
        seq += 1;
        yield JSON.stringify({ entryId, subjectId, seq, cells: [{ studentId, testId, questionId, is, was }] });
      }
    }
  }
}

const post = (agent: Agent, target: URL, cookie: string, body: string, key: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      cookie,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': key,
    };
    const asking = request(target, { agent, method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text, retryAfter: answer.headers['retry-after'] }));
      answer.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });

type Answer = { readonly status: number | undefined; readonly text: string; readonly retryAfter: string | undefined };

/** The bare server's response has no result. */
const isStored = ({ status, text }: Answer): boolean => {
  if (status !== 200) return false;
  const { result } = JSON.parse(text) as { result?: { stored: number } };
  return result === undefined || result.stored === 1;
};
