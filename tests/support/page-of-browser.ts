import type { DraftStorage } from '../../ui/drafts/store.ts';
import type { Send } from '../../ui/drafts/outbox.ts';
import type { DraftStore } from '../../ui/drafts/store.ts';

/** What ends with one page of a browser: after `close` nothing that it began goes on. */
export class PageOfBrowser {
  readonly #closed = Promise.withResolvers<void>();
  isClosed = false;

  close(): void {
    this.isClosed = true;
    this.#closed.resolve();
  }

  /** The page's view of what the browser keeps. */
  view<Value, Saw, Input>(keep: DraftStorage<Value, Saw, Input>): DraftStorage<Value, Saw, Input> {
    const alive = async <Of>(act: () => Promise<Of>): Promise<Of> => (this.isClosed ? never : act());
    return {
      put: (changes) => alive(() => keep.put(changes)),
      change: (step) => alive(() => keep.change(step)),
      subscribe: (listener) => keep.subscribe(listener),
    };
  }

  /** As the browser's locks: one page at a time, and a closed page lets go. */
  async inTurn(locks: Map<string, Promise<void>>, name: string, act: () => Promise<void>): Promise<void> {
    const before = locks.get(name) ?? Promise.resolve();
    const mine = before.then(() => (this.isClosed ? undefined : Promise.race([act(), this.#closed.promise])));
    locks.set(
      name,
      mine.catch(() => undefined),
    );
    await mine;
  }
}

export const never = new Promise<never>(() => undefined);

/** As a page sends what waits, once it knows of it. */
export const resumeOnceOpen = <Value, Saw, Input>(store: DraftStore<Value, Saw, Input>, send: Send<Value, Input>): (() => void) => {
  let isResumed = false;
  return store.subscribe(() => {
    if (isResumed || !store.seen().isOpen) return;
    isResumed = true;
    store.resume(send);
  });
};
