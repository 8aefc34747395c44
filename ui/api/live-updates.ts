import type { LiveAnswer, LiveChange } from '#api/contract/live';
import type { Query, QueryClient } from '@tanstack/react-query';
import type { AnswerCache } from './answer-cache.ts';
import { createAnswerCache } from './answer-cache.ts';
import type { Api } from './client.ts';
import type { LiveMessage, LiveState } from './live.ts';
import { listenLive } from './live.ts';

/** Updates the answers whose changes the live connection sends, and has the others asked for again. */
export class LiveUpdates {
  readonly #api: Api;
  readonly #client: QueryClient;
  readonly #cache: AnswerCache;
  /** Channels that have changed, and queries whose answers are stale, until they are asked for again. */
  readonly #changes = new Map<string, bigint>();
  readonly #stale = new Set<string>();
  #wasLive = false;
  #isAsking = false;

  constructor(api: Api, client: QueryClient) {
    this.#api = api;
    this.#client = client;
    this.#cache = api.cacheAnswers(createAnswerCache);
  }

  /** @returns a function that ends it */
  start(accountId: string, onState: (state: LiveState) => void): () => void {
    const { answers } = this.#api;
    const queries = this.#client.getQueryCache();
    answers.onStale((name) => this.#markStale(name));
    const end = listenLive(accountId, this.#api.connectionId(), (message) => {
      if (message.kind === 'answer') this.#answered(message.answer);
      else if (message.kind === 'changed') this.#changed(message.change);
      else {
        onState(message.state);
        this.#connected(message);
      }
    });
    const endLeft = queries.subscribe(({ type, query }) => {
      if (type === 'removed') this.#api.left(query, queries.getAll());
    });
    return () => {
      endLeft();
      this.#changes.clear();
      this.#stale.clear();
      answers.onStale(() => undefined);
      end();
    };
  }

  #connected({ state, hello, connectionId }: LiveMessage & { readonly kind: 'state' }): void {
    const { answers } = this.#api;
    this.#cache.connected(state === 'live' ? hello?.epoch : undefined);
    if (state !== 'live') return;
    const isComplete = hello !== undefined && answers.connected(hello);
    const isMissed = answers.takeMissed();
    const isNew = this.#wasLive && !isComplete;
    if (hello?.epoch !== undefined && isNew) this.#api.reset(hello);
    void this.#client.invalidateQueries(isNew ? {} : { predicate: isMissed });
    if (connectionId !== undefined && connectionId !== this.#api.connectionId()) {
      // Only the changes of answers that were asked for with the connection's id are sent over it.
      this.#api.joinConnection(connectionId);
      void this.#client.invalidateQueries({ predicate: ({ queryHash }) => this.#cache.has(queryHash) });
    }
    this.#wasLive = true;
  }

  #answered(answer: LiveAnswer): void {
    this.#api.seen(answer.position);
    for (const { as, data, isOutdated } of this.#cache.applyLive(answer)) {
      const queryKey = this.#client.getQueryCache().get(as)?.queryKey;
      if (isOutdated) void this.#isAnswered(as, answer.position).then((isTrue) => !isTrue && this.#markStale(as));
      else if (queryKey) this.#client.setQueryData(queryKey, data);
    }
  }

  #changed({ topics: channels, position }: LiveChange): void {
    this.#api.seen(position);
    const at = BigInt(position);
    this.#api.answers.changed(channels, at);
    for (const channel of channels) this.#changes.set(channel, at);
    this.#expect(channels, at);
    void this.#askAgain();
  }

  #markStale(name: string): void {
    this.#stale.add(name);
    void this.#askAgain();
  }

  /** One round at a time: a burst of changes neither cancels an answer in flight nor refetches faster than the server answers. */
  async #askAgain(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { answers } = this.#api;
    while (this.#changes.size > 0 || this.#stale.size > 0) {
      const isOutdated = answers.outdated([...this.#changes]);
      const stale = new Set<unknown>(this.#stale);
      this.#changes.clear();
      this.#stale.clear();
      // What one's own command has changed is asked for before it is announced. An answer that is on its way is looked at when it arrives.
      const isWanted = (query: Query) =>
        stale.has(query.queryHash) ||
        stale.has(query.queryKey[0]) ||
        (isOutdated(query) && !answers.isAskedFor(query) && !this.#cache.isLive(query.queryHash));
      const asksAny = this.#client.getQueryCache().findAll({ type: 'active', predicate: isWanted }).length > 0;
      await this.#client.invalidateQueries({ predicate: isWanted });
      // Answers that the connection updates were not asked for; if it then says to ask, nobody waits for that.
      if (asksAny) await new Promise((resolve) => setTimeout(resolve, BREATH));
    }
    this.#isAsking = false;
  }

  /** The changes of these answers are sent over the connection; if not, as when its server was replaced, they are asked for. */
  #expect(channels: readonly string[], position: bigint): void {
    const isConcerned = this.#api.answers.concernedBy(channels);
    const isExpected = (query: Query) => this.#cache.isLive(query.queryHash) && isConcerned(query);
    for (const { queryHash } of this.#client.getQueryCache().findAll({ predicate: isExpected }))
      void this.#cache.until(queryHash, position, PATIENCE).then((isTrue) => !isTrue && this.#markStale(queryHash));
  }

  /** Asking again would throw away an answer that is on its way and may hold what is wanted. */
  async #isAnswered(as: string, position: string): Promise<boolean> {
    const isAsked = this.#client.getQueryCache().get(as)?.state.fetchStatus === 'fetching';
    return isAsked && this.#cache.until(as, BigInt(position), ON_ITS_WAY);
  }
}

/** ms until an answer is asked for whose change has been announced, and not sent. */
const PATIENCE = 2_500;
/** ms that an answer may be on its way before it is asked for again. */
const ON_ITS_WAY = 500;
/** ms between two rounds of refetching */
const BREATH = 300;
