import type { LiveHello } from '#api/contract/live';
import { ANY_CHANGE, CHANNELS_HEADER, touches } from '#api/contract/channels';

/** A query of TanStack Query; lists of react-admin are known by the name of their resource. */
export type Query = { readonly queryHash: string; readonly queryKey: readonly unknown[] };
type Answer = { readonly channels: readonly string[]; readonly readAt: bigint };
/** `least`: the position up to which the answer must hold everything. */
type Asking = { readonly as: string; readonly least: bigint; readonly changed: Changes };
/** Channels, and the position in the log of the last change of each. */
export type Changes = Map<string, bigint>;

export type QueryFreshness = ReturnType<typeof createQueryFreshness>;

/** Which live channels concern which answers. Each answer names its channels, so that no query has to say what it follows. */
export const createQueryFreshness = () => {
  /** By query, then by path: the lists of a resource share a name, and the pages of a list share a query. Each counts until the next answer. */
  const answers = new Map<string, Map<string, Answer>>();
  const asking = new Set<Asking>();
  /** What the live connection said as it began. */
  let since = 0n;
  let changedAt: readonly (readonly [channel: string, position: bigint])[] = [];
  let epoch: string | undefined;
  let tellStale: () => void = () => undefined;
  const stale = new Set<string>();
  const isAsked = (name: string): boolean => [...asking].some(({ as }) => as === name);
  const markStale = (as: string): void => {
    stale.add(as);
    tellStale();
  };

  const nameOf = ({ queryHash, queryKey: [name] }: Query): string => (answers.has(queryHash) ? queryHash : String(name));
  const answersTo = (name: string): Answer[] => [...(answers.get(name)?.values() ?? [])];
  const isOutdated = (answer: Answer): boolean => answer.readAt < since || (answer.readAt !== ASKED_AGAIN && isBefore(changedAt, answer));

  const note = (as: string, path: string, answer: Answer): void => {
    const known = answers.get(as) ?? new Map<string, Answer>();
    answers.set(as, known);
    known.delete(path);
    known.set(path, answer);
    const [oldest] = known.keys();
    if (known.size > MOST_PATHS && oldest !== undefined) known.delete(oldest);
  };

  return {
    /** Sends the query named `as`, and notes what its answer follows. A change while the answer is on its way makes it stale. */
    during: async (as: string, path: string, send: () => Promise<Response>, least = 0n): Promise<Response> => {
      const mine: Asking = { as, least, changed: new Map() };
      asking.add(mine);
      try {
        const response = await send();
        const answer = answerOf(response.headers);
        note(as, path, answer);
        if (isOutdated(answer) || isBefore(mine.changed, answer)) markStale(as);
        return response;
      } catch (error) {
        // This answer was to bring what changed meanwhile, if no other does.
        asking.delete(mine);
        if (!isAsked(as) && answersTo(as).some((answer) => isBefore(mine.changed, answer))) markStale(as);
        throw error;
      } finally {
        asking.delete(mine);
      }
    },

    /** Takes in what has changed, up to a position in the log. */
    changed: (channels: readonly string[], position: bigint): void => {
      for (const { changed } of asking) for (const channel of channels) changed.set(channel, position);
    },

    /**
     * Takes in what had changed before the live connection began. Returns whether that is all that may have changed; if not, as after a
     * restart of the server or a restored log, any answer may be outdated.
     */
    connected: (hello: LiveHello): boolean => {
      const isSame = hello.epoch !== undefined && (epoch === undefined || hello.epoch === epoch);
      // In a restored log these positions name other events: any change may be later.
      if (epoch !== undefined && hello.epoch !== epoch)
        for (const known of answers.values()) for (const path of known.keys()) askAgain(known, path);
      epoch = hello.epoch;
      since = BigInt(hello.since);
      changedAt = Object.entries(hello.topics).map(([channel, position]) => [channel, BigInt(position)] as const);
      return isSame;
    },

    /** The line said that an answer is outdated, or failed to say anything. */
    markStale,

    /** Called as soon as an answer is stale. */
    onStale: (listener: () => void): void => {
      tellStale = listener;
    },

    /** Whether a query has been answered, and a change of these channels concerns the answer. */
    concernedBy:
      (changed: Iterable<string>) =>
      (query: Query): boolean =>
        answersTo(nameOf(query)).some((answer) => [...changed].some((one) => concerns(one, answer))),

    /** The same for an answer that was read before a position: the line may have announced one's own change first, and it was asked for then. */
    concernedBefore:
      (changed: readonly string[], position: bigint) =>
      (query: Query): boolean =>
        answersTo(nameOf(query)).some((answer) =>
          isBefore(
            changed.map((one) => [one, position]),
            answer,
          ),
        ),

    /** Whether a query is on its way whose answer will hold what happened up to a position. */
    isAskedFor: ({ queryHash }: Query, position: bigint): boolean =>
      [...asking].some(({ as, least }) => as === queryHash && least >= position),

    /**
     * Whether a query was answered before these changes and not since: what one's own command has changed is asked for before the line
     * announces it. An answer that is on its way is looked at when it arrives.
     */
    outdatedBy:
      (changes: Changes) =>
      (query: Query): boolean =>
        !isAsked(query.queryHash) && answersTo(nameOf(query)).some((answer) => isBefore(changes, answer)),

    /**
     * The queries that were answered before the changes that the live connection named as it began. Each is named once: the pages of a list
     * that nobody looks at are not asked for again.
     */
    takeOutdated: (): ((query: Query) => boolean) => {
      const named = new Set<string>();
      for (const [name, known] of answers) {
        for (const [path, answer] of known) {
          if (!isOutdated(answer)) continue;
          named.add(name);
          askAgain(known, path);
        }
      }
      return (query) => named.has(nameOf(query));
    },

    /** The queries whose answers are stale; each is named once. */
    takeStale: (): ((query: Query) => boolean) => {
      const named = new Set(stale);
      stale.clear();
      return ({ queryHash, queryKey: [name] }) => named.has(queryHash) || named.has(String(name));
    },
    hasStale: (): boolean => stale.size > 0,

    /** A query has left the page's memory; `others`: those that have stayed. Returns the name by which its answers were known, if no other has it. */
    left: (query: Query, others: readonly Query[]): string | undefined => {
      const name = nameOf(query);
      return others.every((other) => nameOf(other) !== name) && answers.delete(name) ? name : undefined;
    },

    forget: (): void => {
      answers.clear();
      stale.clear();
      since = 0n;
      changedAt = [];
      epoch = undefined;
    },
  };
};

/** Whether an answer was read before changes that concern it. It is not known when some answers were read: then each change counts. */
const isBefore = (changes: Iterable<readonly [channel: string, position: bigint]>, answer: Answer): boolean =>
  [...changes].some(([changed, position]) => (position > answer.readAt || answer.readAt === ASKED_AGAIN) && concerns(changed, answer));

const concerns = (changed: string, { channels }: Answer): boolean => channels.some((channel) => touches(channel, changed));

/** From now on it does not matter when the answer was read. */
const askAgain = (known: Map<string, Answer>, path: string): void => {
  const answer = known.get(path);
  if (answer) known.set(path, { ...answer, readAt: ASKED_AGAIN });
};

/** Where an answer names no channels, any change concerns it. */
const answerOf = (headers: Headers): Answer => ({
  channels: (headers.get(CHANNELS_HEADER) ?? ANY_CHANGE).split(' ').filter(Boolean),
  readAt: BigInt(headers.get('X-Read-Position') ?? NEWEST),
});
const NEWEST = '9223372036854775807';
/** No change that was announced is later than the answer that is on its way. */
const ASKED_AGAIN = BigInt(NEWEST);
/** Paths remembered for a query: the pages of a list that were asked for last. */
const MOST_PATHS = 50;
