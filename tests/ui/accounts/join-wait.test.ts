import { expect, test } from 'vitest';
import type { JoinChoices, JoinWait } from '../../../api/contract/auth.ts';
import { namesOnceFree, waitText } from '../../../student-ui/accounts/join/BirthdayStep.tsx';
import { ApiRefusal, Unreachable } from '../../../ui/api/failure.ts';

const wait: JoinWait = { seconds: 1_500, ahead: 2, joining: 8 };
const full: JoinChoices = { choices: [], wait };
const names: JoinChoices = { choices: [{ choice: 'one', name: 'Edwards, Sophie' }] };
const refused = new ApiRefusal({ type: 'about:blank', title: 'Enter your code again.', status: 409, code: 'refused' });

/** Asks a server that answers like this, in turn. */
const asking = (answers: readonly (JoinChoices | Error)[], stop = new AbortController()) => {
  const left = [...answers];
  const waits: JoinWait[] = [];
  const got = namesOnceFree({
    ask: async () => {
      const answer = left.shift() ?? expect.unreachable();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onWait: (one) => void waits.push(one),
    signal: stop.signal,
    pause: async () => undefined,
  });
  return { got, waits, left };
};

test('whoever waits to join goes on without typing again, also through a connection that breaks', async () => {
  const { got, waits } = asking([full, new Unreachable(), { choices: [], wait: { ...wait, ahead: 0 } }, names]);
  expect(await got).toBe(names);
  expect(waits.map(({ ahead }) => ahead)).toEqual([2, 0]);
});

test('who does not wait yet is told of a failure at once, and who waits of a refusal', async () => {
  await expect(asking([new Unreachable(), names]).got).rejects.toThrow('The server cannot be reached');
  await expect(asking([full, refused]).got).rejects.toThrow('Enter your code again.');
});

test('who gives up waiting asks no more', async () => {
  const stop = new AbortController();
  const { got, left } = asking([full, full, full], stop);
  stop.abort();
  await expect(got).rejects.toThrow(/abort/i);
  expect(left.length).toBeGreaterThanOrEqual(2);
});

test('whose turn it is, how long it takes and what helps is said', () => {
  expect(waitText(wait)).toEqual({
    title: 'Please wait: 2 are before you.',
    lines: [
      '8 others are joining here just now. You go on as soon as there is a place: usually in a minute or two, and after 25 minutes at the latest.',
      'Keep this page open. There is nothing to type again.',
      'To make it quicker, ask a teacher to log in to Marktrail here, and to choose “Let them go on” on the page of the class.',
    ],
  });
  expect(waitText({ seconds: 40, ahead: 0, joining: 0 })).toMatchObject({
    title: 'Please wait: you are next.',
    lines: ['Too many dates of birth were tried here without anybody joining. You go on within a minute.', '', ''].map((line) =>
      line === '' ? expect.any(String) : line,
    ),
  });
});
