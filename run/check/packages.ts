import { z } from 'zod';
import type { TableLine } from '../commands/as-table.ts';

/** A package according to the registry: when each version was published; `newest` undefined: unknown there. */
export type Package = {
  readonly name: string;
  readonly installed: string;
  readonly newest: string | undefined;
  readonly time: Readonly<Record<string, string>>;
  /** Part of the running product, not only of its building and testing. */
  readonly isShipped: boolean;
};

const DAY_MS = 86_400_000;

/** How many days ago the installed version was published, if a newer one is there; 0: it is the newest, or nothing is known. */
export const ageOf = ({ installed, newest, time }: Package, now: number): number =>
  newest === undefined || newest === installed ? 0 : (daysSince(time[installed], now) ?? 0);

export const tableLine = ({ name, installed, newest, time, isShipped }: Package, now: number): TableLine => ({
  package: name,
  for: isShipped ? 'product' : 'building',
  installed: withAge(installed, time, now),
  newest: newest === undefined ? 'the registry does not say' : newest === installed ? 'the same' : withAge(newest, time, now),
});

const withAge = (version: string, time: Package['time'], now: number): string => {
  const days = daysSince(time[version], now);
  return days === undefined ? version : `${version} (${days} ${days === 1 ? 'day' : 'days'} old)`;
};

const daysSince = (when: string | undefined, now: number): number | undefined =>
  when === undefined ? undefined : Math.floor((now - Date.parse(when)) / DAY_MS);

const audit = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      range: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
});

/** The advisories of `npm audit --json`, a line each; a sentence if the registry does not answer. */
export const advisoriesIn = (response: unknown): string[] => {
  const { data } = audit.safeParse(response);
  if (!data)
    return [
      'This registry does not answer which advisories there are: nothing is known of weaknesses. Ask another, or npm audit elsewhere.',
    ];
  const lines = Object.entries(data.vulnerabilities).flatMap(([name, { severity, range, via }]) =>
    via.flatMap((one) => (typeof one === 'string' ? [] : [`${name} ${range}: ${severity}, ${one.title} (${one.url})`])),
  );
  return lines.length === 0 ? ['No advisory is known of what is installed.'] : lines;
};
