/**
 * What somebody has typed and the server has not stored yet, by record or cell, and which of it is on its way. Pure: the store (store.ts)
 * applies these steps to what is kept, in one transaction each.
 */

/** What has become of a record or cell. `conflict`: somebody else has stored something else since typing began. */
export type Status = 'clean' | 'changed' | 'saving' | 'saved' | 'conflict' | 'refused' | 'offline';

export type Draft<Value, Saw> = {
  readonly value: Value;
  /** What was stored when typing began: the author has not seen what others store later. */
  readonly saw: Saw;
  /** As whom its author viewed the page (X-View-As; '': as themselves). Left out: it is sent as whoever the page is viewed as then. */
  readonly as?: string;
  /** Names what was typed at once, such as a pasted block: it is sent together, and apart from everything else. */
  readonly block?: string;
};

/** What is sent together, as it was when it was sent: the same id and input until the server has answered, also after a reload. */
export type Batch<Value, Input> = {
  /** Its idempotency key. */
  readonly id: string;
  readonly values: Readonly<Record<string, Value>>;
  readonly input: Input;
  /** The server failed without saying what became of it: it is sent again under the same id. */
  readonly uncertain?: boolean;
  /** Its author has taken it back while it was on its way: once it is stored, that is undone. What of it is still a draft is sent again. */
  readonly takenBack?: boolean;
};

export type DraftState<Value, Saw, Input> = {
  /** By record or cell. */
  readonly drafts: Readonly<Record<string, Draft<Value, Saw>>>;
  /** By id. A record or cell is in one of them at most. */
  readonly batches: Readonly<Record<string, Batch<Value, Input>>>;
};

export const NO_DRAFTS: DraftState<never, never, never> = { drafts: {}, batches: {} };

/** Typing over a draft keeps what its author saw first. */
export const typed = <Value, Saw>(before: Draft<Value, Saw> | undefined, now: Draft<Value, Saw>): Draft<Value, Saw> => ({
  ...now,
  saw: before ? before.saw : now.saw,
});

/** Sets drafts; undefined removes one. */
export const withDrafts = <Value, Saw, Input>(
  { drafts, batches }: DraftState<Value, Saw, Input>,
  changes: Readonly<Record<string, Draft<Value, Saw> | undefined>>,
): DraftState<Value, Saw, Input> => ({
  drafts: Object.fromEntries(Object.entries({ ...drafts, ...changes }).filter((entry): entry is [string, Draft<Value, Saw>] => !!entry[1])),
  batches,
});

/** Whether a draft can be sent: it may have been typed over since its key was chosen. */
export type IsReady<Value, Saw> = (key: string, draft: Draft<Value, Saw>) => boolean;

type StartedBatch<Value, Saw, Input> = { readonly state: DraftState<Value, Saw, Input>; readonly batch: Batch<Value, Input> | undefined };

/**
 * Takes drafts into a batch, except those that are in one already: another tab may have been faster, and what may have been stored is sent
 * again unchanged (`uncertain`). `batch`: undefined if nothing is left to send.
 */
export const startedBatch = <Value, Saw, Input>(
  state: DraftState<Value, Saw, Input>,
  id: string,
  keys: readonly string[],
  inputOf: (drafts: Readonly<Record<string, Draft<Value, Saw>>>) => Input,
  isReady: IsReady<Value, Saw> = () => true,
): StartedBatch<Value, Saw, Input> => {
  const sent = new Set(Object.values(state.batches).flatMap(({ values }) => Object.keys(values)));
  const free = Object.fromEntries(
    keys.flatMap((key) => {
      const draft = state.drafts[key];
      return draft && !sent.has(key) && isReady(key, draft) ? [[key, draft] as const] : [];
    }),
  );
  if (Object.keys(free).length === 0) return { state, batch: undefined };
  const values = Object.fromEntries(Object.entries(free).map(([key, { value }]) => [key, value]));
  const batch = { id, values, input: inputOf(free) };
  return { state: withBatch(state, batch), batch };
};

/** Batches that hold some of these keys and that may or may not have been stored. */
export const uncertain = <Value, Saw, Input>({ batches }: DraftState<Value, Saw, Input>, keys: readonly string[]) => {
  const wanted = new Set(keys);
  return Object.values(batches).filter(({ uncertain: isSo, values }) => isSo && Object.keys(values).some((key) => wanted.has(key)));
};

/** The batch is on its way again. */
export const retried = <Value, Saw, Input>(state: DraftState<Value, Saw, Input>, id: string): DraftState<Value, Saw, Input> => {
  const before = state.batches[id];
  if (!before?.uncertain) return state;
  const { uncertain: _, ...batch } = before;
  return withBatch(state, batch);
};

/** A batch that is not answered yet will be taken back. */
export const takenBack = <Value, Saw, Input>(state: DraftState<Value, Saw, Input>, ids: readonly string[]): DraftState<Value, Saw, Input> =>
  ids.flatMap((id) => state.batches[id] ?? []).reduce((now, batch) => withBatch(now, { ...batch, takenBack: true }), state);

/** Removes drafts, and any uncertain batch that holds nothing else: its author gives that up too. */
export const discarded = <Value, Saw, Input>(
  state: DraftState<Value, Saw, Input>,
  keys: readonly string[],
): DraftState<Value, Saw, Input> => {
  const gone = new Set(keys);
  return uncertain(state, keys)
    .filter(({ values }) => Object.keys(values).every((key) => gone.has(key)))
    .reduce((left, { id }) => withoutBatch(left, id), withDrafts(state, Object.fromEntries(keys.map((key) => [key, undefined]))));
};

/**
 * The server has stored a batch, except `wrong`. What its author has typed over since stays, and what was stored counts as seen.
 * `sawOf`: what a stored value looks like to whoever types over it, from what they saw before. Of what is taken back nothing stands, and
 * what was seen before it is seen again.
 */
export const stored = <Value, Saw, Input>(
  state: DraftState<Value, Saw, Input>,
  id: string,
  wrong: ReadonlySet<string>,
  sawOf: (value: Value, before: Saw) => Saw,
): DraftState<Value, Saw, Input> => {
  const batch = state.batches[id];
  if (!batch) return state;
  if (batch.takenBack) return withoutBatch(state, id);
  const changes = Object.entries(batch.values).flatMap(([key, value]) => {
    const draft = state.drafts[key];
    if (!draft || wrong.has(key)) return [];
    return [[key, same(draft.value, value) ? undefined : { ...draft, saw: sawOf(value, draft.saw) }] as const];
  });
  return withoutBatch(withDrafts(state, Object.fromEntries(changes)), id);
};

/** The server has refused a batch, or failed: what was typed stays. `isCertain`: nothing of it was stored. */
export const failed = <Value, Saw, Input>(
  state: DraftState<Value, Saw, Input>,
  id: string,
  isCertain: boolean,
): DraftState<Value, Saw, Input> => {
  const batch = state.batches[id];
  if (!batch) return state;
  return isCertain ? withoutBatch(state, id) : withBatch(state, { ...batch, uncertain: true });
};

/** The keys that are on their way. `isTypedOver`: not as their drafts now stand. */
export const inFlight = <Value, Saw, Input>({ drafts, batches }: DraftState<Value, Saw, Input>) =>
  new Map(
    Object.values(batches)
      .filter(({ uncertain }) => !uncertain)
      .flatMap(({ values }) => Object.entries(values).map(([key, value]) => [key, { isTypedOver: !same(drafts[key]?.value, value) }])),
  );

/** What is kept, with the changes from `before` to `now` applied; what other tabs have changed stays. */
export const merged = <Value, Saw, Input>(
  state: DraftState<Value, Saw, Input>,
  before: DraftState<Value, Saw, Input>,
  now: DraftState<Value, Saw, Input>,
): DraftState<Value, Saw, Input> => ({
  drafts: changedIn(state.drafts, before.drafts, now.drafts),
  batches: changedIn(state.batches, before.batches, now.batches),
});

const changedIn = <Of>(
  all: Readonly<Record<string, Of>>,
  before: Readonly<Record<string, Of>>,
  now: Readonly<Record<string, Of>>,
): Readonly<Record<string, Of>> => {
  const gone = new Set(Object.keys(before).filter((key) => !Object.hasOwn(now, key)));
  const changed = Object.entries(now).filter(([key, is]) => !same(before[key], is));
  return { ...Object.fromEntries(Object.entries(all).filter(([key]) => !gone.has(key))), ...Object.fromEntries(changed) };
};

/** What is the same before and now. */
export const withoutChanged = <Value, Saw, Input>(
  before: DraftState<Value, Saw, Input>,
  now: DraftState<Value, Saw, Input>,
): DraftState<Value, Saw, Input> => ({
  drafts: sameIn(before.drafts, now.drafts),
  batches: sameIn(before.batches, now.batches),
});

const sameIn = <Of>(before: Readonly<Record<string, Of>>, now: Readonly<Record<string, Of>>): Readonly<Record<string, Of>> =>
  Object.fromEntries(Object.entries(before).filter(([key, is]) => same(is, now[key])));

/** Values are plain data. */
export const same = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);

const withBatch = <Value, Saw, Input>({ drafts, batches }: DraftState<Value, Saw, Input>, batch: Batch<Value, Input>) => ({
  drafts,
  batches: { ...batches, [batch.id]: batch },
});

const withoutBatch = <Value, Saw, Input>({ drafts, batches }: DraftState<Value, Saw, Input>, id: string): DraftState<Value, Saw, Input> => {
  const { [id]: _, ...others } = batches;
  return { drafts, batches: others };
};
