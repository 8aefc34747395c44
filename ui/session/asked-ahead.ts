import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { question, useApi } from '../api/ApiProvider.tsx';
import type { Questions } from '../api/questions.ts';
import { readPreference, writePreference } from '../site/preferences.ts';

/** What the page at an address asked for when it was open here last, by whom, and as whom they viewed it. Ids only. */
type Opening = {
  readonly at: string;
  readonly accountId: string;
  readonly viewAs?: string | undefined;
  readonly asks: readonly (readonly [name: keyof Questions, ask: never])[];
};

/**
 * A page that opens asks at once for what it asked for last time, beside the question who is signed in, instead of after it: one step in
 * place of three.
 */
export const useAskedAhead = (): void => {
  const api = useApi();
  const client = useQueryClient();
  useState(() => {
    const opening = remembered().find(({ at }) => at === here());
    if (!opening) return;
    api.viewAs(opening.viewAs);
    for (const [name, ask] of opening.asks) void client.prefetchQuery(question(api, name, ask));
  });
};

/** Remembers what the page asks for once it has settled. */
export const useRememberOpening = (accountId: string, viewAs: string | undefined): void => {
  const client = useQueryClient();
  useEffect(() => {
    let settling: ReturnType<typeof setTimeout> | undefined;
    const remember = () => {
      const shown = client
        .getQueryCache()
        .findAll({ type: 'active', predicate: ({ state, queryKey }) => state.status === 'success' && isOfNow(queryKey) });
      const opening: Opening = {
        at: here(),
        accountId,
        viewAs,
        asks: shown.map(({ queryKey }) => [queryKey[0] as keyof Questions, queryKey[1] as never]),
      };
      const others = remembered().filter((one) => one.at !== opening.at && one.accountId === accountId);
      writePreference(PLACE, JSON.stringify([opening, ...others].slice(0, KEPT)));
    };
    const end = client.getQueryCache().subscribe(({ type }) => {
      if (type !== 'observerAdded' && type !== 'observerRemoved' && type !== 'updated') return;
      clearTimeout(settling);
      settling = setTimeout(remember, SETTLED);
    });
    return () => {
      clearTimeout(settling);
      end();
    };
  }, [client, accountId, viewAs]);
};

/** Whoever logs in here next may be somebody else. */
export const forgetOpenings = (): void => writePreference(PLACE, '[]');

const here = (): string => location.pathname + location.search;

/** Of `question`: its name, its input, and no earlier moment. */
const isOfNow = (key: readonly unknown[]): boolean => key.length === 3 && key[2] === undefined;

const remembered = (): readonly Opening[] => {
  try {
    return JSON.parse(readPreference(PLACE) ?? '[]') as readonly Opening[];
  } catch {
    return [];
  }
};

const PLACE = 'marktrail-openings';
/** Addresses that are remembered. */
const KEPT = 8;
/** ms without a new question after which the page has asked for what it needs */
const SETTLED = 500;
