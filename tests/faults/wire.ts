import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * The wire between Marktrail and its database or its log, to be cut without either of them hearing of it: a network that is gone says nothing, it only
 * no longer answers.
 */
export class Wire {
  readonly #server: Server;
  readonly #ends = new Set<Socket>();
  readonly #forgotten = new Set<Socket>();
  #target: URL;
  #silent = false;
  #cut = false;

  /** @param url connection string of the database or the log */
  static async to(url: string): Promise<Wire> {
    const wire = new Wire(new URL(url));
    await new Promise<void>((listening) => wire.#server.listen(0, '127.0.0.1', listening));
    return wire;
  }

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((near) => this.#join(near));
  }

  /** The connection string through this wire. */
  get url(): string {
    const url = new URL(this.#target);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** Nothing passes any more, in either direction, and nobody is told. */
  silence(): void {
    this.#silent = true;
    for (const end of this.#ends) end.pause();
  }

  /** As a firewall does: nothing passes any more over the connections that there are, nobody is told, and new ones come about. */
  forget(): void {
    for (const end of this.#ends) {
      end.pause();
      this.#ends.delete(end);
      this.#forgotten.add(end);
    }
  }

  /** Every connection breaks, and no new one comes about. */
  cut(): void {
    this.#cut = true;
    for (const end of this.#ends) end.destroy();
  }

  /** Everything that waited passes, and what comes. */
  speak(): void {
    this.#silent = false;
    this.#cut = false;
    for (const end of this.#ends) end.resume();
  }

  close(): void {
    for (const end of [...this.#ends, ...this.#forgotten]) end.destroy();
    this.#server.close();
  }

  #join(near: Socket): void {
    if (this.#cut) return void near.destroy();
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(one);
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#ends.delete(one);
        other.destroySoon();
      });
      if (this.#silent) one.pause();
    }
  }
}
