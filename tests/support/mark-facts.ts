import { expect } from 'vitest';
import type { Value } from '../../api/marks/marks.contract.ts';
import { admissionKey } from '../../api/students/students.facts.ts';
import type { MarkFacts } from '../../api/marks/marks.facts.ts';
import type { Cell } from '../../events/marks/cell.ts';
import { emptyCell, withChange } from '../../events/marks/cell.ts';
import type { MarkCell, MarkChange } from '../../events/codec/columnar.ts';
import { fromColumns } from '../../events/codec/columnar.ts';
import type { MarktrailEvent } from '../../events/registry.ts';
import { actor, id } from './decider.ts';

/** The facts for decisions about marks, as tests have them: enrolments, tests and stored cells. */
export const subjectId = id('maths');
export const mock = id('mock');
export const other = id('other');
export const [Q1, Q2] = [id('Q1'), id('Q2')];
export const leader = actor('leader', { subjectIds: [subjectId] });
export const teacher = actor('teacher', { subjectIds: [subjectId], setIds: [id('11A')] });

type Written = readonly [student: string, cell: MarkCell, is: Value, was?: readonly Value[]];
export const total = (testId = mock): MarkCell => ({ kind: 'total', testId });
export const mark = (questionId: string): MarkCell => ({ kind: 'mark', testId: mock, questionId });
export const attendance: MarkCell = { kind: 'attendance', testId: mock };
const place = ({ kind, testId, questionId }: MarkCell, studentId: string): string => [kind, testId, questionId, studentId].join();

/** Mathematics with 11A (Ann, Abe) and 11B (Ben); mock has 5 + 10 marks, other 20, unready none yet. Cells hold what `written` says. */
export const facts = (written: readonly Written[] = []): MarkFacts => {
  const students = ['Ann 11A', 'Abe 11A', 'Ben 11B']
    .map((one) => one.split(' '))
    .map(([name = '', set = '']) => ({ studentId: id(name), admissionNo: `no ${name}`, name, setId: id(set) }));
  const cells = new Map<string, Cell>();
  for (const [index, [student, cell, is, was = []]] of written.entries()) {
    const key = place(cell, id(student));
    cells.set(
      key,
      withChange(cells.get(key) ?? emptyCell, { event: id(`e${index}`), command: id(`c${index}`), entry: id(`n${index}`), is, was }),
    );
  }
  const sets = ['11A', '11B'].map((name) => ({ setId: id(name), name, yearGroupId: id('year'), year: 11, testIds: [mock] }));
  const tests = [
    {
      testId: mock,
      name: 'Mock',
      max: 15,
      questions: [
        { questionId: Q1, number: 1, marksAvailable: 5 },
        { questionId: Q2, number: 2, marksAvailable: 10 },
      ],
    },
    { testId: other, name: 'Other', max: 20, questions: [] },
    { testId: id('unready'), name: 'Unready', max: null, questions: [] },
  ];
  return {
    subjectId,
    sets: new Map(sets.map((set) => [set.setId, set])),
    tests: new Map(tests.map((one) => [one.testId, one])),
    students: new Map(students.map((student) => [student.studentId, student])),
    byAdmissionKey: new Map(students.map((student) => [admissionKey(student.admissionNo), student])),
    offRoll: new Set(),
    cell: (cell, studentId) => cells.get(place(cell, studentId)) ?? emptyCell,
    uploads: [],
  };
};

/** The changes in the single event of a decision. */
export const changes = (events: readonly MarktrailEvent[]): MarkChange[] => {
  expect(events.length).toBeLessThan(2);
  return events.flatMap((event) => ('marks' in event.data ? fromColumns(event.data.marks) : []));
};
export const change = (student: string, cell: MarkCell, max: number | undefined, is: Value, was: readonly Value[] = []) => ({
  studentId: id(student),
  cell,
  ...(max === undefined ? {} : { max }),
  is,
  was,
});
