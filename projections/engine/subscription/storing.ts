import type { ClientBase } from 'pg';
import { inOnePacket } from '../in-one-packet.ts';
import type { Ready } from '../tables/table-sql.ts';

/**
 * The statements that store a batch, in the order in which they are given. While PostgreSQL stores one table, the next is folded. Those of a
 * short batch, which somebody waits for, are sent together at the end: waiting for each would cost more than they do.
 */
export class Storing {
  readonly #client: ClientBase;
  readonly #isShort: boolean;
  #waiting: Ready[] = [];
  #sent: Promise<unknown> = Promise.resolve();

  /** `isShort`: the client can pipeline, and the statements are few and small. */
  constructor(client: ClientBase, isShort: boolean) {
    this.#client = client;
    this.#isShort = isShort;
  }

  /** What fails is thrown by `stored` and `settled`. */
  give(statements: readonly Ready[]): void {
    this.#waiting.push(...statements);
    if (!this.#isShort) this.#send();
  }

  /** Begins to send what waits, because the next statements take time. Everything before is stored. */
  begin(): void {
    if (this.#waiting.length > 0) this.#send();
  }

  /** Fulfilled when all are stored. */
  async stored(): Promise<void> {
    await this.#sent;
    this.begin();
    await this.#sent;
  }

  /** Fulfilled when nothing is on its way any more. @throws what failed before */
  async settled(): Promise<void> {
    await this.#sent;
  }

  #send(): void {
    const [client, statements] = [this.#client, this.#waiting];
    this.#waiting = [];
    // Nothing may be sent behind a COPY until it is done.
    const isTogether = this.#isShort && statements.every(({ isCopy }) => isCopy !== true);
    this.#sent = isTogether
      ? allOf(inOnePacket(client, () => statements.map((statement) => statement(client))))
      : this.#sent.then(() => inTurn(client, statements));
    // Reaches the caller when it waits.
    this.#sent.catch(() => undefined);
  }
}

/** Rejects with what failed first, once nothing is on its way any more. */
export const allOf = async <Result>(underWay: readonly Promise<Result>[]): Promise<Result[]> => {
  const all = Promise.all(underWay);
  await Promise.allSettled([...underWay, all]);
  return all;
};

const inTurn = async (client: ClientBase, statements: readonly Ready[]): Promise<void> => {
  for (const statement of statements) await statement(client);
};
