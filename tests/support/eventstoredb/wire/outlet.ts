import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Fault } from '../faults.ts';
import { tooSlow, type Refusal } from './answers.ts';
import type { Node } from './node.ts';

/** Writes the answer to a read or subscription, with back-pressure, and applies the fault of its call. */
export class Outlet<Request> {
  /** messages written that the connection has not taken yet */
  outstanding = 0;
  readonly #call: ServerWritableStream<Request, Buffer>;
  readonly #node: Node;
  readonly #breaks: (Fault & { kind: 'after' }) | undefined;
  #held: Buffer[] | undefined;
  #draining: Promise<void> | undefined;
  #events = 0;
  #isOpen = true;

  constructor(node: Node, call: ServerWritableStream<Request, Buffer>, fault: Fault | undefined) {
    this.#node = node;
    this.#call = call;
    this.#breaks = fault?.kind === 'after' ? fault : undefined;
    call.on('cancelled', () => (this.#isOpen = false));
    call.on('error', () => undefined);
  }

  /** False once either side has ended it. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Called when the reader has gone; at once if it already has. */
  onGone(listener: () => void): void {
    if (this.#call.cancelled) listener();
    else this.#call.once('cancelled', listener);
  }

  /** @returns what to wait for before sending more, if the reader has enough */
  send(message: Buffer): Promise<void> | undefined {
    if (!this.#isOpen) return undefined;
    this.outstanding++;
    if (!this.#node.faults.isSilent && !this.#held) return this.#write(message) ? undefined : this.#drained();
    this.#held ??= this.#holding();
    this.#held.push(message);
    return this.#node.faults.spoken();
  }

  /** Like `send`, and counted by the fault of the call. */
  sendEvent(message: Buffer): Promise<void> | undefined {
    this.breakIfDue();
    const wait = this.send(message);
    this.#events++;
    this.breakIfDue();
    return wait;
  }

  breakIfDue(): void {
    if (!this.#isOpen || !this.#breaks || this.#events < this.#breaks.events) return;
    switch (this.#breaks.how) {
      case 'end':
        return this.end();
      case 'too slow':
        return this.refuse(tooSlow());
      case 'cut':
        return this.#last(async () => {
          // A reset would overtake messages that the reader has not received yet.
          await pause(20);
          this.#node.cut(this.#call.getPeer());
        });
      case 'silence':
        return this.#last(() => undefined);
    }
  }

  end(): void {
    this.#last(() => this.#call.end());
  }

  refuse(refusal: Refusal): void {
    this.#last(() => this.#call.emit('error', refusal));
  }

  /** Ends once the reader has taken what was sent before. */
  #last(act: () => unknown): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    void this.#taken().then(act);
  }

  #write(message: Buffer): boolean {
    return this.#call.write(message, () => {
      this.outstanding--;
    });
  }

  #holding(): Buffer[] {
    const held: Buffer[] = [];
    void this.#node.faults.spoken().then(() => {
      this.#held = undefined;
      for (const message of held) this.#write(message);
    });
    return held;
  }

  async #taken(): Promise<void> {
    while (this.outstanding > 0 && !this.#call.cancelled) await pause(1);
  }

  /** One wait, shared by all callers. */
  #drained(): Promise<void> {
    return (this.#draining ??= this.#drain().finally(() => (this.#draining = undefined)));
  }

  async #drain(): Promise<void> {
    if (this.#call.cancelled || !this.#call.writableNeedDrain) return;
    const over = new AbortController();
    const stop = () => over.abort();
    this.#call.once('cancelled', stop);
    await once(this.#call, 'drain', { signal: over.signal }).catch(() => undefined);
    this.#call.off('cancelled', stop);
  }
}
