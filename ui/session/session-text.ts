import type { SessionShown } from '#api/contract/auth';

const WHEN = { dateStyle: 'medium', timeStyle: 'short' } as const;
const at = (instant: string): string => new Date(instant).toLocaleString('en-GB', WHEN);

/** Last used 22 Nov 2026, 13:04 from 192.0.2.*, since 20 Nov 2026, 08:31 */
export const sessionText = ({ network, since, lastUsed }: SessionShown): string =>
  `Last used ${at(lastUsed)}${network === null ? '' : ` from ${network}`}, since ${at(since)}`;
