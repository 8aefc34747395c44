import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '../actor.ts';
import type { Asked, Found, SharedAnswers, Since } from '../answers/shared-answers.ts';
import { keyOf } from '../answers/shared-answers.ts';
import type { Version } from '../answers/version.ts';
import { touches } from '../contract/channels.ts';
import type { Delta } from '../contract/delta.ts';
import { deltaOf } from '../contract/delta.ts';
import type { LiveAnswer } from '../contract/live.ts';

/** A line over which somebody listens. */
export type Listening = {
  readonly schoolId: string;
  /** Who listens, with today's rights; undefined: nobody may any more, and the line ends, or the database is away. */
  readonly now: () => Promise<Actor | undefined>;
  readonly say: (event: string, data: string) => void;
};

/** `tag`: of the version that it holds, with its reader's own fields. */
type Page = { readonly tag: string; readonly until: number };

/** A shared answer that pages hold. */
type Followed = {
  readonly key: string;
  /** How the pages know it. */
  readonly id: string;
  readonly asked: Asked;
  version: Version;
  /** By line. */
  readonly pages: Map<string, Page>;
  isOutdated: boolean;
  isBusy: boolean;
};

/**
 * Tells pages over their lines how the answers that they hold have changed. An answer is read once after a change, for all of them; its
 * difference to the version before is made once. What comes meanwhile waits for the next round, and the pauses between rounds grow with
 * what they cost.
 *
 * Before anything is said on a line, its reader's rights are looked up again, after the answer was read.
 */
export class Following {
  readonly #answers: SharedAnswers;
  readonly #news: NewsOfSchools;
  readonly #followed = new Map<string, Followed>();
  readonly #lines = new Map<string, Listening>();
  #rounds = 0;

  constructor(answers: SharedAnswers, news: NewsOfSchools) {
    this.#answers = answers;
    this.#news = news;
  }

  /**
   * From now on the line hears how the answer changes. It may open later: a page asks while it connects.
   *
   * @param tag of the version with the reader's own fields
   * @returns how the answer is known on the line
   */
  follow(line: string, asked: Asked, version: Version, tag: string): string {
    const key = keyOf(asked);
    const followed = this.#followed.get(key) ?? {
      key,
      id: createHash('sha256').update(key).digest('base64url').slice(0, 12),
      asked,
      version,
      pages: new Map<string, Page>(),
      isOutdated: false,
      isBusy: false,
    };
    this.#followed.set(key, followed);
    followed.pages.set(line, { tag, until: performance.now() + KEPT_MS * (1 + Math.random() / 2) });
    if (followed.version.tag !== version.tag) this.#renew(followed);
    this.#requireFew(line);
    if (!this.#lines.has(line)) this.#expectBack(line);
    return `${followed.id} ${this.#news.epoch()}`;
  }

  opened(line: string, listening: Listening): void {
    this.#lines.set(line, listening);
  }

  /** It may come back, as after an interruption. */
  closed(line: string, listening: Listening): void {
    if (this.#lines.get(line) !== listening) return;
    this.#lines.delete(line);
    this.#expectBack(line);
  }

  #expectBack(line: string): void {
    setTimeout(() => {
      if (!this.#lines.has(line)) this.#leave(line);
    }, BACK_WITHIN_MS).unref();
  }

  #leave(line: string): void {
    for (const followed of this.#followed.values()) this.#drop(followed, line);
  }

  #drop(followed: Followed, line: string): void {
    followed.pages.delete(line);
    if (followed.pages.size === 0 && !followed.isBusy) this.#followed.delete(followed.key);
  }

  /** The pages that a line has left behind are not told to the server: only the last few count. */
  #requireFew(line: string): void {
    const all = [...this.#followed.values()].filter(({ pages }) => pages.has(line));
    const until = ({ pages }: Followed): number => pages.get(line)?.until ?? 0;
    for (const followed of all.toSorted((one, other) => until(other) - until(one)).slice(MOST_OF_LINE)) this.#drop(followed, line);
  }

  /** What has changed in a school, the marks by year group and assessment. */
  changed(schoolId: string, channels: readonly string[]): void {
    for (const followed of this.#followed.values()) {
      if (followed.asked.schoolId !== schoolId) continue;
      if (channels.some((changed) => followed.version.channels.some((one) => touches(one, changed)))) this.#renew(followed);
    }
  }

  /** Everything may have changed, and the pages ask again by themselves. */
  forget(schoolId?: string): void {
    for (const followed of this.#followed.values()) {
      if (schoolId !== undefined && followed.asked.schoolId !== schoolId) continue;
      followed.pages.clear();
      this.#followed.delete(followed.key);
    }
  }

  #renew(followed: Followed): void {
    followed.isOutdated = true;
    if (!followed.isBusy) void this.#keepUp(followed);
  }

  async #keepUp(followed: Followed): Promise<void> {
    followed.isBusy = true;
    while (followed.isOutdated && followed.pages.size > 0) {
      // Saves go first: of all that is followed, so much is read at a time.
      if (this.#rounds >= MOST_ROUNDS) {
        await pause(BREATH_MS);
        continue;
      }
      this.#rounds += 1;
      followed.isOutdated = false;
      const begun = performance.now();
      try {
        await this.#tell(followed);
      } catch {
        // The database is away, or the answer cannot be given any more: the pages ask, and are told why.
        followed.pages.clear();
      } finally {
        this.#rounds -= 1;
      }
      await pause(Math.min(BREATH_MS + 2 * (performance.now() - begun), LONGEST_BREATH_MS));
    }
    followed.isBusy = false;
    if (followed.pages.size === 0 && this.#followed.get(followed.key) === followed) this.#followed.delete(followed.key);
  }

  #askNow({ asked, version }: Followed): Promise<Found> {
    return this.#answers.askSince(asked, () => {
      const news = this.#news.changedAfter(asked.schoolId, version.readAt);
      return news && { ...news, version };
    });
  }

  async #tell(followed: Followed): Promise<void> {
    const before = followed.version;
    const { version, trueAt } = await this.#askNow(followed);
    const present = await Promise.all([...followed.pages.keys()].map(async (line) => [line, await this.#lines.get(line)?.now()] as const));
    const toAll = { id: followed.id, position: String(trueAt), epoch: this.#news.epoch() };
    const change = smallChange(before, version);
    const sent = new Map<string, string>();
    followed.version = version;
    for (const [line, actor] of present) {
      const listening = this.#lines.get(line);
      const page = followed.pages.get(line);
      const own = actor && ownOf(followed.asked, version, actor);
      const tag = own && version.tagWith(own);
      const isKept = page !== undefined && page.until > performance.now();
      if (!listening || !actor || !own || tag === undefined || !isKept) {
        this.#drop(followed, line);
        if (listening && actor) listening.say('answer', JSON.stringify(toAll satisfies LiveAnswer));
        continue;
      }
      // The same for all who hold the same and may see the same.
      const as = `${page.tag} ${tag}`;
      const text = sent.get(as) ?? JSON.stringify({ ...toAll, ...changeOf(page.tag, tag, { before, change, own }) } satisfies LiveAnswer);
      sent.set(as, text);
      listening.say('answer', text);
      followed.pages.set(line, { ...page, tag });
    }
  }
}

/** `changedAfter`: see `Since`; undefined: anything may have changed. */
type NewsOfSchools = {
  readonly epoch: () => string;
  readonly changedAfter: (schoolId: string, position: bigint) => Pick<Since, 'changed' | 'upTo' | 'isAll'> | undefined;
};

/** Without a reader's rights there are no fields of their own. */
const ownOf = ({ declared, input }: Asked, { facts }: Version, actor: Actor): object | undefined => {
  if (actor.role === 'student' || actor.viewAs?.role === 'student') return undefined;
  try {
    return declared.shared.own(facts, actor, input);
  } catch {
    return undefined;
  }
};

/** Undefined: there is none; 'large': asking again is cheaper, because answers are compressed, and the same for all. */
const smallChange = (before: Version, after: Version): Delta | 'large' | undefined => {
  if (before.tag === after.tag) return undefined;
  const delta = deltaOf(before.valueAfter(), after.valueAfter(before));
  return delta && JSON.stringify(delta).length > LARGEST_CHANGE ? 'large' : delta;
};

/** What a page must be told that holds `from`; without a tag, to ask again. */
const changeOf = (
  from: string,
  tag: string,
  { before, change, own }: { readonly before: Version; readonly change: Delta | 'large' | undefined; readonly own: object },
): Pick<LiveAnswer, 'from' | 'tag' | 'change' | 'own'> => {
  if (from === tag) return { from, tag };
  if (!before.isIn(from) || change === 'large') return {};
  const isOwn = from.split('.')[1] !== tag.split('.')[1];
  return { from, tag, ...(change && { change }), ...(isOwn && { own: { ...own } }) };
};

/** Between two rounds about one answer, at least. */
const BREATH_MS = 20;
const LONGEST_BREATH_MS = 1_000;
/** At a time, of all answers. */
const MOST_ROUNDS = 2;
const LARGEST_CHANGE = 12_000;
/** An answer is followed so long, or half as long again, before the page has to ask: it may not show it any more. */
const KEPT_MS = 10 * 60_000;
const BACK_WITHIN_MS = 30_000;
/** Of one line, which all tabs of a browser share. */
const MOST_OF_LINE = 30;
