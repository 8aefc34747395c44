import { afterEach, beforeEach, describe } from 'vitest';
import { appending } from './event-store/appending.ts';
import { failing } from './event-store/failing.ts';
import { reading } from './event-store/reading.ts';
import { subscribing } from './event-store/subscribing.ts';
import type { OpenLog } from './open-log.ts';

/**
 * What every adapter of the event store promises; see events/store/port.ts.
 *
 * @param open an empty log; called before each test, and closed after it
 */
export const eventStoreContract = (name: string, open: () => Promise<OpenLog>): void => {
  describe(`event store: ${name}`, () => {
    let log: OpenLog;

    beforeEach(async () => {
      log = await open();
    });

    afterEach(() => log.close());

    for (const chapter of [appending, reading, subscribing, failing]) chapter(() => log);
  });
};
