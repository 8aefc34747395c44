import type { Call } from './call.ts';

export const studentCalls = {} satisfies Record<string, Call>;
