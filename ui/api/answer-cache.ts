import type { LiveAnswer } from '#api/contract/live';
import { FOLLOW_HEADER } from '#api/contract/channels';
import { applied } from '#api/contract/delta';

/** An answer that the page holds, known by `as`, and the version (`tag`) that the server gave it. */
type CachedAnswer = {
  readonly as: string;
  readonly tag: string;
  readonly data: unknown;
  /** True up to this position of the log. */
  readonly trueAt: bigint;
  /** Its name on the live connection, and the epoch of that; undefined: its changes are not sent. */
  readonly subscription?: { readonly id: string; readonly epoch: string } | undefined;
};

/** What came over the live connection of an answer: show this data, or ask again. */
type LiveUpdate = { readonly as: string; readonly data?: unknown; readonly isOutdated: boolean };

export type AnswerCache = ReturnType<typeof createAnswerCache>;

/**
 * The answers with a version, by path. The live connection sends how they change; asked again without a change, the server only
 * says that there is none.
 */
export const createAnswerCache = () => {
  const answers = new Map<string, CachedAnswer>();
  /** The epoch of the live connection, while it is open. */
  let epoch: string | undefined;
  const waiting = new Set<{ readonly as: string; readonly position: bigint; readonly done: (isTrue: boolean) => void }>();

  const isLive = ({ subscription }: CachedAnswer): boolean => subscription !== undefined && subscription.epoch === epoch;
  const answerAs = (as: string): CachedAnswer | undefined => [...answers.values()].find((one) => one.as === as);

  const keep = (path: string, answer: CachedAnswer): void => {
    answers.set(path, answer);
    for (const one of waiting) if (one.as === answer.as && one.position <= answer.trueAt) one.done(true);
  };

  return {
    headers: (path: string): Record<string, string> => {
      const tag = answers.get(path)?.tag;
      return tag === undefined ? {} : { 'If-None-Match': tag };
    },

    /** Takes in an answer; undefined: the server says that it has not changed, but the page no longer holds it. */
    answered: (path: string, as: string | undefined, headers: Headers, data: unknown): unknown => {
      const before = answers.get(path);
      const tag = headers.get('ETag')?.replace(/^W\//u, '') ?? null;
      const trueAt = BigInt(headers.get('X-Read-Position') ?? 0);
      // The live connection was faster than the answer.
      if (before && isLive(before) && trueAt < before.trueAt) return before.data;
      const shown = data ?? (before?.tag === tag ? before?.data : undefined);
      if (as === undefined || tag === null || shown === undefined) return shown;
      const [id, ofEpoch] = headers.get(FOLLOW_HEADER)?.split(' ') ?? [];
      const subscription = id === undefined || ofEpoch === undefined ? undefined : { id, epoch: ofEpoch };
      keep(path, { as, tag, data: shown, subscription, trueAt });
      return shown;
    },

    /** Takes in what came over the live connection. */
    applyLive: (answer: LiveAnswer): LiveUpdate[] =>
      [...answers].flatMap(([path, cached]): LiveUpdate[] => {
        if (cached.subscription?.id !== answer.id || cached.subscription.epoch !== answer.epoch) return [];
        const { from, tag, change, own: ownFields } = answer;
        const position = BigInt(answer.position);
        const trueAt = position > cached.trueAt ? position : cached.trueAt;
        if (tag !== undefined && cached.tag === `"${tag}"`) {
          keep(path, { ...cached, trueAt });
          return [];
        }
        if (tag === undefined || cached.tag !== `"${from}"`) return [{ as: cached.as, isOutdated: true }];
        const changed = change === undefined ? cached.data : applied(change, cached.data);
        const data = ownFields === undefined ? changed : { ...(changed as object), ...ownFields };
        keep(path, { ...cached, tag: `"${tag}"`, data, trueAt });
        return [{ as: cached.as, data, isOutdated: false }];
      }),

    /** Up to which position of the log an answer is true; undefined: it has no version. */
    positionOf: (as: string): bigint | undefined => answerAs(as)?.trueAt,

    /** Whether the live connection sends how this answer changes, so that nobody has to ask. */
    isLive: (as: string): boolean => {
      const cached = answerAs(as);
      return cached !== undefined && isLive(cached);
    },

    has: (as: string): boolean => answerAs(as) !== undefined,

    /** The live connection has begun, or has been interrupted. */
    connected: (now: string | undefined): void => {
      epoch = now;
      // After a restart or a restored log other events may have these positions.
      if (now === undefined) return;
      for (const [path, one] of answers) if (one.subscription?.epoch !== now) answers.set(path, { ...one, trueAt: 0n });
    },

    /** Resolves to whether, according to the live connection, the answer has become true up to the position within some time. */
    until: (as: string, position: bigint, ms: number): Promise<boolean> => {
      if ((answerAs(as)?.trueAt ?? -1n) >= position) return Promise.resolve(true);
      return new Promise((resolve) => {
        const one = {
          as,
          position,
          done: (isTrue: boolean) => {
            clearTimeout(timer);
            waiting.delete(one);
            resolve(isTrue);
          },
        };
        const timer = setTimeout(() => one.done(false), ms);
        waiting.add(one);
      });
    },

    /** `name`: the name of queries that have left the page. */
    left: (name: string): void => {
      for (const [path, { as }] of answers) if (as === name) answers.delete(path);
    },

    forget: (): void => answers.clear(),
  };
};
