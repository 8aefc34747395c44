import type { Call } from './call.ts';

export const leaderCalls = {} satisfies Record<string, Call>;
