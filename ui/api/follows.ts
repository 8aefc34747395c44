import type { LiveHello } from '#api/contract/live';
import { ANY_CHANGE, CHANNELS_HEADER, touches } from '#api/contract/channels';

/** A query of TanStack Query; lists of react-admin are known by the name of their resource. */
type Query = { readonly queryHash: string; readonly queryKey: readonly unknown[] };
type Answer = { readonly channels: readonly string[]; readonly readAt: bigint };
type Asking = { readonly changed: Set<string> };

export type Follows = ReturnType<typeof createFollows>;

/** Which live channels concern which answers: told by each answer, so that no query has to say what it follows. */
export const createFollows = () => {
  const answers = new Map<string, Answer>();
  const asking = new Set<Asking>();
  /** What the live connection told as it began. */
  let since = 0n;
  let changedAt: readonly (readonly [channel: string, position: bigint])[] = [];
  let tellLate: () => void = () => undefined;
  const late = new Set<string>();

  const answerTo = ({ queryHash, queryKey: [name] }: Query) => answers.get(queryHash) ?? answers.get(String(name));
  const isOld = ({ channels, readAt }: Answer): boolean =>
    readAt < since || changedAt.some(([changed, position]) => position > readAt && channels.some((channel) => touches(channel, changed)));

  return {
    /** Sends a query known by `as`, and notes what its answer follows. A change while it was on its way makes it late. */
    during: async (as: string, send: () => Promise<Response>): Promise<Response> => {
      const mine: Asking = { changed: new Set() };
      asking.add(mine);
      try {
        const response = await send();
        const answer = answerOf(response.headers);
        const before = answers.get(as)?.readAt ?? answer.readAt;
        // Of several answers to a query, such as the pages of a list, the oldest counts.
        answers.set(as, { ...answer, readAt: before < answer.readAt ? before : answer.readAt });
        const isLate = isOld(answer) || [...mine.changed].some((changed) => answer.channels.some((channel) => touches(channel, changed)));
        if (isLate) {
          late.add(as);
          tellLate();
        }
        return response;
      } finally {
        asking.delete(mine);
      }
    },

    /** Takes in what has changed. */
    changed: (channels: readonly string[]): void => {
      for (const { changed } of asking) for (const channel of channels) changed.add(channel);
    },

    /** Takes in what had changed before the live connection began. */
    began: (hello: LiveHello): void => {
      since = BigInt(hello.since);
      changedAt = Object.entries(hello.topics).map(([channel, position]) => [channel, BigInt(position)] as const);
    },

    /** Called as soon as an answer is late. */
    onLate: (listener: () => void): void => {
      tellLate = listener;
    },

    /** Whether a query has been answered, and a change of these channels concerns the answer. */
    concernedBy:
      (changed: Iterable<string>) =>
      (query: Query): boolean => {
        const answer = answerTo(query);
        return answer !== undefined && [...changed].some((one) => answer.channels.some((channel) => touches(channel, one)));
      },

    /** Whether a query was answered before what the live connection told as it began. */
    isOld: (query: Query): boolean => {
      const answer = answerTo(query);
      return answer !== undefined && isOld(answer);
    },

    /** The queries whose answers were late; each is named once. */
    takeLate: (): ((query: Query) => boolean) => {
      const named = new Set(late);
      late.clear();
      return ({ queryHash, queryKey: [name] }) => named.has(queryHash) || named.has(String(name));
    },
    hasLate: (): boolean => late.size > 0,

    forget: (): void => {
      answers.clear();
      late.clear();
      since = 0n;
      changedAt = [];
    },
  };
};

/** A server of an earlier version does not name channels. */
const answerOf = (headers: Headers): Answer => ({
  channels: (headers.get(CHANNELS_HEADER) ?? ANY_CHANGE).split(' ').filter(Boolean),
  readAt: BigInt(headers.get('X-Read-Position') ?? NEVER_OLD),
});
const NEVER_OLD = '9223372036854775807';
