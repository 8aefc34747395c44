import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/**
 * Opens what all tests of a file share before the first test, and closes it after the last one. After a test that failed, everything is
 * closed and opened anew, so that a half-finished test affects neither its own retry (TEST_RETRY) nor the tests after it. Each test must
 * therefore work on what `open` makes, not only on what the tests before it leave.
 *
 * @param open calls `atEnd` with the way to close each part as soon as it exists; the parts are closed in reverse order
 */
export const openedAnew = (open: (atEnd: (close: () => unknown) => void) => Promise<void>): void => {
  const closings: (() => unknown)[] = [];
  let isSpoilt = false;
  const begin = async (): Promise<void> => {
    await open((close) => closings.push(close));
    isSpoilt = false;
  };
  const end = async (): Promise<void> => {
    for (const close of closings.splice(0).toReversed()) await close();
  };
  beforeAll(begin);
  beforeEach(async () => {
    if (!isSpoilt) return;
    await end();
    await begin();
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') isSpoilt = true;
  });
  afterAll(end);
};
