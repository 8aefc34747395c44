import type { Cases } from './case.ts';

export const accountsCases: Cases = {};
