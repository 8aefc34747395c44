import { expect } from 'vitest';
import { fullName } from '../support/school.ts';
import type { Cases } from './case.ts';

const yearGroup = ['admin', 'auditor', 'leader', 'teacherA', 'teacherB'] as const;
const writers = ['admin', 'leader', 'teacherA'] as const;

export const teacherCases: Cases = {
  'GET /teacher/4': {
    may: yearGroup,
    as: 'teacherA',
    ask: ({ school }) => ({ query: { SubjectID: school.ids.maths } }),
    right: ({ world: { school }, body }) => {
      const { ids } = school;
      expect(body).toEqual(
        expect.arrayContaining([
          { StudentID: '00A1', UniqueID: ids.students['A1'], LastFirst: fullName('A1'), SetID: ids.setA, SetName: '11A' },
          { StudentID: '00C4', UniqueID: ids.students['C4'], LastFirst: fullName('C4'), SetID: ids.setC, SetName: '11C' },
        ]),
      );
    },
  },
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
