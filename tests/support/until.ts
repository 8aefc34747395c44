import { vi } from 'vitest';
import { limit } from './limits.ts';

/** Waits until it is so. @returns what it was */
export const until = <Answer>(isSo: () => Answer | Promise<Answer>) => vi.waitUntil(isSo, { timeout: limit.wait, interval: 20 });
