import type { Me } from '#api/accounts/accounts.contract';
import type { OpeningPlace } from '#api/contract/openings';
import { openings } from '#api/contract/openings';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { question, useApi } from '../api/ApiProvider.tsx';
import type { Questions } from '../api/questions.ts';
import { readPreference, writePreference } from '../site/preferences.ts';
import { sectionsOf } from '../roles.ts';
import { sectionOf } from './guard.ts';

/** Who was here last, and what the names in addresses meant to them. Ids only. */
type Reader = { readonly accountId: string; readonly role: Me['role']; readonly subjectId: string };
type Where = Pick<OpeningPlace, 'yearGroupId' | 'setId' | 'only'>;
type Remembered = Reader & { readonly places: readonly (Where & { readonly at: string })[] };
type Ask = { [Name in keyof Questions]: readonly [name: Name, ask: Questions[Name]['ask']] }[keyof Questions];

/**
 * A page that opens asks at once for what its route names (api/contract/openings.ts), beside the question who is signed in, instead of after it:
 * one step in place of three. Only in the area of one's own role.
 */
export const useAskedAhead = (): void => {
  const api = useApi();
  const client = useQueryClient();
  useState(() => {
    const last = remembered();
    const params = new URLSearchParams(location.search);
    if (!last || params.has('asOf')) return;
    const { role, subjectId, places } = last;
    // As whom somebody may view a page, only the answer to who they are says.
    if (sectionOf(location.pathname) !== sectionsOf(role)[0]) return;
    const place = {
      subjectId,
      ...places.find(({ at }) => at === `${location.pathname} ${placeNames(params)}`),
      testId: params.get('test') ?? undefined,
    };
    const askAhead = <Name extends keyof Questions>([name, ask]: readonly [Name, Questions[Name]['ask']]) =>
      void client.prefetchQuery(question(api, name, ask));
    for (const ask of asksOf(place)) askAhead(ask);
  });
};

const asksOf = (place: OpeningPlace): readonly Ask[] =>
  Object.entries(openings).find(([path]) => path === location.pathname)?.[1](place) ?? [];

/** Remembers who reads, of which subject. What was remembered of somebody else goes. */
export const rememberReader = (reader: Reader): void => {
  const last = remembered();
  remember({ ...reader, places: last?.accountId === reader.accountId && last.subjectId === reader.subjectId ? last.places : [] });
};

/** What an address names: a year group and a class. */
export const placeNames = (search: URLSearchParams): string => `${search.get('year') ?? ''} ${search.get('set') ?? ''}`;

/** Remembers what the names in the address mean. */
export const rememberPlace = (names: string, where: Where): void => {
  const last = remembered();
  if (!last) return;
  const at = `${location.pathname} ${names}`;
  remember({ ...last, places: [{ ...where, at }, ...last.places.filter((one) => one.at !== at)].slice(0, KEPT) });
};

/** Whoever logs in here next may be somebody else. */
export const forgetOpenings = (): void => writePreference(PLACE, 'null');

const remember = (all: Remembered): void => writePreference(PLACE, JSON.stringify(all));

const remembered = (): Remembered | undefined => {
  try {
    return (JSON.parse(readPreference(PLACE) ?? 'null') as Remembered | null) ?? undefined;
  } catch {
    return undefined;
  }
};

const PLACE = 'marktrail-opened';
/** Addresses that are remembered. */
const KEPT = 8;
