import type { Call } from './call.ts';

export const topicsCalls = {} satisfies Record<string, Call>;
