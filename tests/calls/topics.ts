import type { Cases } from './case.ts';

export const topicsCases: Cases = {};
