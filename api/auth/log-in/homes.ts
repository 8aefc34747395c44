import { networkOf } from '../../common/networks.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Limit, Limits, Tried } from '../limits.ts';

const SECONDS = 60 * 24 * 3_600;
const HOME: Limit = { name: 'network where somebody was at home', most: 0, seconds: SECONDS };
/** So that nobody with an account makes homes of a thousand addresses. */
const HOMES: Limit = { name: 'homes of an account', most: 10, seconds: SECONDS };

/** The network of this address, as one from which somebody has logged in within sixty days: its log-ins keep turns and places of their own. */
export const homeAt = (address: string): Tried => ({ limit: HOME, who: [networkOf(address)] });

export const isHome = (limits: Limits, address: string): Promise<boolean> => limits.isNoted(HOME, networkOf(address));

/** Somebody has logged in there. */
export const noteHome = async (limits: Limits, accountId: string, address: string): Promise<void> => {
  try {
    await limits.count(HOMES, accountId);
    await limits.note(HOME, networkOf(address));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
  }
};
