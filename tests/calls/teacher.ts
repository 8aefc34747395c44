import { expect } from 'vitest';
import type { Cases } from './case.ts';
import { teacherReads } from './teacher-reads.ts';

const writers = ['admin', 'leader', 'teacherA'] as const;

export const teacherCases: Cases = {
  ...teacherReads,
  'POST /teacher TestTotals': {
    may: writers,
    as: 'teacherA',
    ask: ({ school: { ids } }) => ({
      body: {
        table: 'TestTotals',
        data: [
          { keyval: { TestTotalsID: null }, values: { TestID: ids.other, StudentID: ids.students['A1'], Total: 13 } },
          { keyval: { TestTotalsID: null }, values: { TestID: ids.other, StudentID: ids.students['A2'], Total: 7 } },
        ],
      },
    }),
    right: async ({ world: { school }, client }) => {
      const { students } = await client.ask<{ students: { studentId: string; totals: { total: number | null }[] }[] }>('markbook', {
        yearGroupId: school.ids.year,
      });
      const totals = students.find(({ studentId }) => studentId === school.ids.students['A1'])?.totals;
      expect(totals).toContainEqual(expect.objectContaining({ total: 13, source: 'total' }));
    },
  },
};
