import type { Cases } from './case.ts';

export const leaderCases: Cases = {};
