import { inject } from 'vitest';

/** What global-setup.ts makes when the first test asks for it. */
export interface MadeOnce {
  postgres: TestServer;
  /** The apps as they are served, built anew where their sources have changed; where they lie. */
  apps: string;
  /** A data directory after a first start, and one after a first start that built the demo school: nobody starts on them, all copy them. */
  emptyDataDir: string;
  demoDataDir: string;
}

/** The PostgreSQL that all tests share. */
export interface TestServer {
  superuserUrl: string;
  ownerUrl: string;
  /** A database with all migrations applied. */
  template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that answers what it is asked for by the name of its path. */
    madeOnce: string;
  }
}

export async function madeOnce<Name extends keyof MadeOnce>(name: Name): Promise<MadeOnce[Name]> {
  const answer = await fetch(`${inject('madeOnce')}/${name}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as MadeOnce[Name];
}
