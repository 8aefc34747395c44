import type { Call } from './call.ts';

export const accountsCalls = {} satisfies Record<string, Call>;
