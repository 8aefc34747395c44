import { isRefused, messagesIn, sentence } from '../api/failure.ts';
import type { DraftState, Status } from './drafts.ts';
import { inFlight, NO_DRAFTS, same } from './drafts.ts';

/** Why a draft could not be saved. Not kept on the device: it holds the server's words. */
export type Trouble = {
  readonly kind: 'refused' | 'conflict';
  readonly reason: string;
  /** For a record: by field. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Nothing of what was sent together was taken. */
  readonly ofAll?: true;
};

/** By record or cell. */
export type Troubles = Readonly<Record<string, Trouble>>;

/** Somebody else's change, or removal, is a conflict. */
export const troubleOf = (error: unknown): Trouble => ({
  kind: isRefused(error, 'conflict', 'precondition-failed', 'not-found') ? 'conflict' : 'refused',
  reason: sentence(error),
  fields: messagesIn(error),
});

/** What a page knows of its drafts. */
export type PageDrafts<Value, Saw, Input> = DraftState<Value, Saw, Input> & {
  /** What is kept has been read. */
  readonly isOpen: boolean;
  /** Whether it outlasts this page. */
  readonly isKept: boolean;
  readonly isOffline: boolean;
  readonly troubles: Troubles;
  /** What this page has stored and nobody has typed over since. */
  readonly saved: ReadonlySet<string>;
};

export const newPage = (isKept: boolean): PageDrafts<never, never, never> => ({
  ...NO_DRAFTS,
  isOpen: false,
  isKept,
  isOffline: false,
  troubles: {},
  saved: new Set(),
});

type Reports = Pick<PageDrafts<unknown, unknown, unknown>, 'troubles' | 'saved'>;

/** What was reported about these keys is out of date. */
export const retyped = ({ troubles, saved }: Reports, changes: Readonly<Record<string, unknown>>): Reports => {
  const keys = Object.keys(changes);
  return {
    troubles: without(troubles, keys),
    saved: keys.some((key) => saved.has(key)) ? new Set([...saved].filter((key) => !Object.hasOwn(changes, key))) : saved,
  };
};

/** What has become of keys that were sent. `isStored`: what the server took stands. */
export type Outcome = { readonly troubles: Troubles; readonly isStored: boolean };

/** Without an outcome they are on their way. */
export const reported = (
  { drafts, troubles, saved }: PageDrafts<unknown, unknown, unknown>,
  keys: readonly string[],
  outcome: Outcome | undefined,
): Reports => {
  const left = without(troubles, keys);
  if (!outcome) return { troubles: left, saved };
  const wrong = Object.entries(outcome.troubles).filter(([key]) => Object.hasOwn(drafts, key));
  const done = outcome.isStored ? keys.filter((key) => !Object.hasOwn(outcome.troubles, key) && !drafts[key]) : [];
  return { troubles: { ...left, ...Object.fromEntries(wrong) }, saved: new Set([...saved, ...done]) };
};

const without = (all: Troubles, keys: readonly string[]): Troubles => {
  if (!keys.some((key) => Object.hasOwn(all, key))) return all;
  const gone = new Set(keys);
  return Object.fromEntries(Object.entries(all).filter(([key]) => !gone.has(key)));
};

/** What a component sees; the same object until something changes. */
export type Seen<Value, Saw, Input> = PageDrafts<Value, Saw, Input> & {
  /** `now`: what is stored now, to tell whether somebody else has stored something else since typing began. */
  readonly statusOf: (key: string, now?: Saw) => Status;
};

/** Nothing of the page has changed since it was seen. */
export const isUnchanged = <Value, Saw, Input>(page: PageDrafts<Value, Saw, Input>, seen: Seen<Value, Saw, Input>): boolean =>
  Object.entries(page).every(([name, is]) => is === Reflect.get(seen, name));

export const seenOf = <Value, Saw, Input>(page: PageDrafts<Value, Saw, Input>): Seen<Value, Saw, Input> => {
  const { drafts, troubles, saved, isOffline } = page;
  const onTheWay = inFlight(page);
  const statusOf = (key: string, now?: Saw): Status => {
    const draft = drafts[key];
    const sent = onTheWay.get(key);
    // What is typed over it waits for it.
    if (isOffline && sent && draft) return 'offline';
    if (sent?.isTypedOver === false) return 'saving';
    if (!draft) return saved.has(key) ? 'saved' : 'clean';
    return troubles[key]?.kind ?? (now !== undefined && !same(now, draft.saw) ? 'conflict' : 'changed');
  };
  return { ...page, statusOf };
};
