import type pg from 'pg';
import type { BuildId } from './build.ts';
import { enginePool, withClient } from './database.ts';
import { beat, release, type Sight } from './lease.ts';
import { isTransient, sentence, type Member } from './member.ts';
import type { Projection } from './projection.ts';
import { sweep } from './schema.ts';
import { servingVersions, tellTrouble } from './standings.ts';

export type CaretakerOptions = {
  readonly databaseUrl: string;
  readonly schema: string;
  readonly holder: string;
  readonly projections: readonly Projection[];
  readonly tell: (line: string) => void;
};

/**
 * What one engine and the others must know of each other, on connections of its own, because a sign of life waits for no slice: who has
 * what, what it has stopped at, and which tables nobody needs any more.
 */
export class Caretaker {
  readonly #options: CaretakerOptions;
  readonly #pool: pg.Pool;
  #hasRubbish = true;
  #sweptAt = -Infinity;

  constructor(options: CaretakerOptions) {
    this.#options = options;
    this.#pool = enginePool(options.databaseUrl, options.holder, 2);
  }

  /** A sign of life, and what became of the builds of this program; `shown`: by name, the versions that readers see. */
  look(): Promise<{ readonly sights: readonly Sight[]; readonly shown: ReadonlyMap<string, number> }> {
    const { schema, holder, projections } = this.#options;
    return withClient(this.#pool, async (client) => ({
      sights: await beat(client, schema, holder, projections),
      shown: await servingVersions(client, schema),
    }));
  }

  /** Lets others know what these have stopped at, as far as they do not know it. */
  async report(members: readonly Member[]): Promise<void> {
    const news = members.filter((member) => member.told !== (member.error ?? null));
    if (news.length === 0) return;
    await withClient(this.#pool, async (client) => {
      for (const member of news) {
        member.told = member.error ?? null;
        const trouble = member.told === null ? null : { error: member.told, eventId: member.stoppedAt };
        await tellTrouble(client, this.#options.schema, member, trouble);
      }
    });
  }

  /** There is something to sweep. */
  rubbish(): void {
    this.#hasRubbish = true;
  }

  /** Away with what nobody will ever see, now and then also what others left who died. What a reader still looks at goes another time. */
  async sweep(): Promise<void> {
    if (!this.#hasRubbish && performance.now() < this.#sweptAt + SWEEP_MS) return;
    this.#hasRubbish = false;
    this.#sweptAt = performance.now();
    const { schema, projections, tell } = this.#options;
    const keeps = (build: BuildId): boolean => projections.some(({ name, version }) => name === build.name && version === build.version);
    await withClient(this.#pool, (client) => sweep(client, schema, projections, keeps)).catch((error: unknown) => {
      this.#hasRubbish = true;
      if (!isTransient(error)) tell(`Tables of former read models cannot be removed: ${sentence(error)}`);
    });
  }

  /** Lets others take over at once. */
  async leave({ hasBegun }: { readonly hasBegun: boolean }): Promise<void> {
    const { schema, holder } = this.#options;
    // A database that is away has no need to be told: the leases run out.
    if (hasBegun) await withClient(this.#pool, (client) => release(client, schema, holder)).catch(() => undefined);
    await this.#pool.end();
  }
}

const SWEEP_MS = 60_000;
