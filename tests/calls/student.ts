import type { Cases } from './case.ts';

export const studentCases: Cases = {};
