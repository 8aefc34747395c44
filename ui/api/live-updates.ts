import type { LiveAnswer, LiveChange } from '#api/contract/live';
import type { Query, QueryClient } from '@tanstack/react-query';
import type { AnswerCache } from './answer-cache.ts';
import { createAnswerCache } from './answer-cache.ts';
import type { Api } from './client.ts';
import type { LiveMessage, LiveState } from './live.ts';
import { listenLive } from './live.ts';
import type { Changes } from './query-freshness.ts';

/** Updates the answers whose changes the line sends, and has the others asked for again. */
export class LiveUpdates {
  readonly #api: Api;
  readonly #client: QueryClient;
  readonly #cache: AnswerCache;
  readonly #changed: Changes = new Map();
  #wasLive = false;
  #isAsking = false;

  constructor(api: Api, client: QueryClient) {
    this.#api = api;
    this.#client = client;
    this.#cache = api.cacheAnswers(createAnswerCache);
  }

  /** @returns a function that ends it */
  start(accountId: string, onState: (state: LiveState) => void): () => void {
    const { freshness } = this.#api;
    const queries = this.#client.getQueryCache();
    freshness.onStale(() => void this.#askAgain());
    const end = listenLive(accountId, this.#api.line(), (message) => {
      if (message.kind === 'answer') this.#answered(message.answer);
      else if (message.kind === 'changed') this.#heard(message.change);
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
      this.#changed.clear();
      freshness.onStale(() => undefined);
      end();
    };
  }

  #connected({ state, hello, line }: LiveMessage & { readonly kind: 'state' }): void {
    const { freshness } = this.#api;
    this.#cache.connected(state === 'live' ? hello?.epoch : undefined);
    if (state !== 'live') return;
    const isAllKnown = hello !== undefined && freshness.connected(hello);
    const isOutdated = freshness.takeOutdated();
    const isNew = this.#wasLive && !isAllKnown;
    if (hello?.epoch !== undefined && isNew) this.#api.reset(hello);
    void this.#client.invalidateQueries(isNew ? {} : { predicate: isOutdated });
    if (line !== undefined && line !== this.#api.line()) {
      // The line sends only the changes of answers that were asked for with its id.
      this.#api.joinLine(line);
      void this.#client.invalidateQueries({ predicate: ({ queryHash }) => this.#cache.has(queryHash) });
    }
    this.#wasLive = true;
  }

  #answered(answer: LiveAnswer): void {
    this.#api.seen(answer.position);
    for (const { as, data, isOutdated } of this.#cache.applyLive(answer)) {
      const queryKey = this.#client.getQueryCache().get(as)?.queryKey;
      if (isOutdated) void this.#isAnswered(as, answer.position).then((isTrue) => !isTrue && this.#api.freshness.markStale(as));
      else if (queryKey) this.#client.setQueryData(queryKey, data);
    }
  }

  #heard({ topics: channels, position }: LiveChange): void {
    this.#api.seen(position);
    const at = BigInt(position);
    this.#api.freshness.changed(channels, at);
    for (const channel of channels) this.#changed.set(channel, at);
    this.#expect(channels, at);
    void this.#askAgain();
  }

  /** One round at a time: a burst of changes neither cancels an answer in flight nor refetches faster than the server answers. */
  async #askAgain(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { freshness } = this.#api;
    while (this.#changed.size > 0 || freshness.hasStale()) {
      const outdated = freshness.outdatedBy(new Map(this.#changed));
      const isStale = freshness.takeStale();
      this.#changed.clear();
      const isAsked = (query: Query) => (outdated(query) && !this.#cache.isLive(query.queryHash)) || isStale(query);
      const asksAny = this.#client.getQueryCache().findAll({ type: 'active', predicate: isAsked }).length > 0;
      await this.#client.invalidateQueries({ predicate: isAsked });
      // Answers that the line updates were not asked for; if it then says to ask, nobody waits for that.
      if (asksAny) await new Promise((resolve) => setTimeout(resolve, BREATH));
    }
    this.#isAsking = false;
  }

  /** The line sends the changes of these answers; if it does not, as when its server was replaced, they are asked for. */
  #expect(channels: readonly string[], position: bigint): void {
    const { freshness } = this.#api;
    const concerned = freshness.concernedBy(channels);
    const isExpected = (query: Query) => this.#cache.isLive(query.queryHash) && concerned(query);
    for (const { queryHash } of this.#client.getQueryCache().findAll({ predicate: isExpected }))
      void this.#cache.until(queryHash, position, PATIENCE).then((isTrue) => !isTrue && freshness.markStale(queryHash));
  }

  /** Asking again would throw away an answer that is on its way and may hold what is wanted. */
  async #isAnswered(as: string, position: string): Promise<boolean> {
    const isAsked = this.#client.getQueryCache().get(as)?.state.fetchStatus === 'fetching';
    return isAsked && this.#cache.until(as, BigInt(position), ON_ITS_WAY);
  }
}

/** ms until an answer is asked for if the line says nothing of its change. */
const PATIENCE = 2_500;
/** ms that an answer may be on its way before it is asked for again. */
const ON_ITS_WAY = 500;
/** ms between two rounds of refetching */
const BREATH = 300;
