import { inject } from 'vitest';

/** Fixtures that global-setup.ts makes on first request. */
export interface MadeOnce {
  postgres: TestServer;
  /** The directory of the built apps, rebuilt when their sources have changed. */
  apps: string;
  /** Data directories after a first start, and with the demo school (without its past). Nobody starts on them; tests copy them. */
  emptyDataDir: string;
  demoDataDir: string;
  /** A database with the demo school (without its past), and the data directory that belongs to it. Nobody works on them; tests copy them. */
  demoSchool: { readonly database: string; readonly dataDir: string };
  /** The same of the demo school as its users get it, with its past: built by a first start. */
  demoSchoolWithPast: { readonly database: string; readonly dataDir: string };
}

/** The PostgreSQL server shared by all tests. */
export interface TestServer {
  superuserUrl: string;
  ownerUrl: string;
  /** A database with all migrations applied. */
  template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server that makes fixtures, by the name in the path. */
    madeOnce: string;
  }
}

export async function madeOnce<Name extends keyof MadeOnce>(name: Name): Promise<MadeOnce[Name]> {
  const answer = await fetch(`${inject('madeOnce')}/${name}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as MadeOnce[Name];
}
