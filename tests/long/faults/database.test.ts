import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFailed, test } from 'vitest';
import { askToSignIn } from '../../faults/demo-school.ts';
import { Dice, seed } from '../../faults/dice.ts';
import {
  address,
  endConnections,
  eventsOf,
  everyRequest,
  finished,
  isWhole,
  listen,
  school,
  unavailable,
  wire,
} from '../../faults/outage.ts';
import { rounds } from '../../support/rounds.ts';

const times = rounds(3);

test(`connections that end, ${times} times, under uploads, questions, log-ins and a live stream are made again; nothing is lost or doubled`, async () => {
  onTestFailed(() => console.error(`FAULT_SEED=${seed}`));
  const dice = new Dice(seed);
  const live = await listen();
  for (let round = 0; round < times; round++) {
    const upload = school.upload('totals');
    const done = school.done(address, upload);
    const others = Promise.all([askToSignIn(address, 'leader@demo.example'), ...[1, 2, 3].map(() => school.uploads(address, null))]);
    await pause(dice.between(0, 400));
    await endConnections();
    const { position, result } = await done;
    expect(result.stored).toBe(upload.cells);
    expect(await eventsOf(upload.commandId)).toEqual([position]);
    for (const answer of await others) expect([200, 503]).toContain(answer.status);
    await school.shown(address, position);
    await live.hearsOf(position);
  }
  await isWhole();
  await live.leave();
});

test('while the database is silent, every request is answered with 503, and afterwards everything works again by itself', async () => {
  const live = await listen();
  wire.silence();
  expect(await everyRequest()).toEqual(unavailable);

  const upload = school.upload('totals');
  const done = school.done(address, upload);
  wire.speak();
  await finished(upload.commandId, done, live);
});
