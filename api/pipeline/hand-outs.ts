import { uuidv5 } from '../../events/codec/ids.ts';
import type { HandedOut } from '../common/query.ts';
import type { HandOut } from '../contract/hand-outs.ts';
import type { Actor } from '../actor.ts';
import type { Request } from './pipeline.ts';

/** What is recorded once an hour for an account, however often and by whichever process it is asked; recording it twice does nothing. */
export class OnceAnHour {
  readonly #record: (request: Request) => Promise<unknown>;
  /** What this process has recorded: the log is not asked again. */
  readonly #recorded = new Set<string>();

  constructor(record: (request: Request) => Promise<unknown>) {
    this.#record = record;
  }

  /** @param what told apart by this; the same has the same `body` */
  async record(actor: Actor, what: string, body: object): Promise<void> {
    const hour = new Date().toISOString().slice(0, 13);
    const one = `${actor.accountId} ${what} ${hour}`;
    if (this.#recorded.has(one)) return;
    await this.#record({ actor, key: uuidv5(`${hour} ${what}`, actor.accountId), body, isInternal: true });
    if (this.#recorded.size > MOST_REMEMBERED) this.#recorded.clear();
    this.#recorded.add(one);
  }
}

const MOST_REMEMBERED = 10_000;

/** Records what answers hand out, before they are given: an answer that cannot be recorded is not given. */
export class HandOuts {
  readonly #record: (request: Request) => Promise<unknown>;
  readonly #moments: OnceAnHour;

  /** @param record executes the command */
  constructor(record: (request: Request) => Promise<unknown>) {
    this.#record = record;
    this.#moments = new OnceAnHour(record);
  }

  /** Data that become a file, each time; what a screen shows, once an hour. */
  async answer(actor: Actor, { as, ...handOut }: HandedOut): Promise<void> {
    const body = { ...handOut, as: as ?? 'file' } satisfies HandOut;
    if (as === 'screen') await this.#moments.record(actor, JSON.stringify(handOut), body);
    else await this.#record({ actor, body, isInternal: true });
  }

  /** An earlier moment, whatever is asked about it. */
  async moment(actor: Actor, asOf: string): Promise<void> {
    await this.#moments.record(actor, asOf, { what: 'earlier moment', as: 'screen', asOf } satisfies HandOut);
  }
}
