import type { Cases } from './case.ts';
import { teacherReads } from './teacher-reads.ts';
import { teacherWrites } from './teacher-writes.ts';

export const teacherCases: Cases = { ...teacherReads, ...teacherWrites };
