import { test } from 'vitest';
import { isIn, pair, untilCounted, write } from './take-over.ts';

test('a projector that is killed is followed by the one that stood by; every event is applied once', async () => {
  const { first, second } = await pair();
  const writing = write(200);
  first.process.kill('SIGKILL');
  await first.ended;
  await writing;
  await untilCounted();
  await isIn(second, 'live');
  await write();
  await untilCounted();
});
