import { randomUUID } from 'node:crypto';
import {
  jsonEvent,
  type AllStreamSubscription,
  type EventStoreDBClient,
  type JSONEventType,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { EventStoreServer } from '../../../../support/eventstoredb/server.ts';

/** A fresh stand-in, and a client of it. */
export type Given = { server: EventStoreServer; client: EventStoreDBClient };

export const event = (n: number, id: string = randomUUID(), type = 't') => jsonEvent<JSONEventType>({ id, type, data: { n } });

export const events = (ids: readonly string[]) => ids.map((id, n) => event(n, id));

export const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

/** What an error says of itself, by the fields that a caller may go by. */
export const failure = async (promise: Promise<unknown>): Promise<Record<string, unknown>> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('it did not fail');
  const { _raw, ...fields } = error as Error & Record<string, unknown>;
  return { ...fields, message: error.message };
};

export const all = async (read: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent[]> => {
  const found: ResolvedEvent[] = [];
  for await (const resolved of read) found.push(resolved);
  return found;
};

const numberIn = (data: unknown): number | undefined => (data as { n?: number } | undefined)?.n;

export const numbers = async (read: AsyncIterable<ResolvedEvent>): Promise<unknown[]> =>
  (await all(read)).map(({ event: recorded }) => numberIn(recorded?.data) ?? recorded?.type);

/** All that a subscription says, in order, until it is told to stop. */
export class Heard {
  readonly said: string[] = [];
  readonly subscription: AllStreamSubscription;
  error: (Error & { type?: string; code?: number }) | undefined;
  #seen = () => undefined as void;

  constructor(subscription: unknown) {
    this.subscription = subscription as AllStreamSubscription;
    this.subscription
      .on('confirmation', () => this.say('confirmation'))
      .on('caughtUp', () => this.say('caughtUp'))
      .on('end', () => this.say('end'))
      .on('error', (error) => {
        this.error = error;
        this.say('error');
      })
      .on('data', ({ event: recorded }: ResolvedEvent) => this.say(`EV#${numberIn(recorded?.data) ?? recorded?.type}`));
  }

  say(word: string): void {
    this.said.push(word);
    this.#seen();
  }

  /** Resolves when it has said the word so many times. */
  async until(word: string, times = 1): Promise<string[]> {
    while (this.said.filter((said) => said === word).length < times) await new Promise<void>((seen) => (this.#seen = seen));
    return this.said;
  }

  async stop(): Promise<void> {
    await this.subscription.unsubscribe();
  }
}

/** After a restart: the first calls may still find the old connection dead. */
export const reconnected = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let left = 50; ; left--) {
    try {
      return await call();
    } catch (error) {
      if (left === 0 || (error as { code?: number }).code !== 14) throw error;
    }
  }
};
