import { expect, test } from 'vitest';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import { onlyIn, spreadOf, studentsOf } from '../../../api/marks/markbook-view.formula.ts';
import { enoughPrior } from '../../support/enough-prior.ts';
import { marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader, teacherB } = await schoolOfFile('leader', 'teacherB');
const { year: yearGroupId, mock, setB, students } = school.ids;
const { upload, enter } = marksIn(() => school);
const totals = { A1: [12], A2: [12], A3: [3], B1: [18], B2: [7], B3: [7], C1: [0] };
await upload(leader, mock, totals);
await enoughPrior(school);

const ask = (input: object = {}) => leader.ask<Markbook>('markbook', { yearGroupId, ...input });

test('the rows of a markbook are those of the whole one, found and sorted as its page does', async () => {
  const whole = await ask();
  const cases = [
    {},
    { dir: 'desc' },
    { sort: 'set', dir: 'desc' },
    { sort: mock },
    { sort: mock, dir: 'desc', find: 'student b' },
    { sort: 'prior', dir: 'desc' },
    { find: '00a2' },
    { only: `amber.${mock}` },
    { only: `green.${mock}`, sort: 'set' },
    { sort: 'nothing', only: 'nothing' },
  ] as const;
  for (const one of cases) {
    const { sort = 'name', dir = 'asc', find = '', only }: { sort?: string; dir?: 'asc' | 'desc'; find?: string; only?: string } = one;
    const view = { sort, direction: dir, search: find, setId: undefined, only: onlyIn(only, whole.tests) };
    const found = studentsOf(whole, view);
    for (const from of [0, 5, 10]) {
      const begin = Math.min(from, Math.max(0, Math.ceil(found.length / 5) - 1) * 5);
      const part = await ask({ ...one, rows: '5', from: String(from) });
      expect(part.students, JSON.stringify(one)).toEqual(found.slice(begin, begin + 5));
      expect(part.rows).toEqual({ from: begin, of: found.length, spread: spreadOf(found, whole.tests) });
      expect([part.tests, part.priorExam, part.sets]).toEqual([whole.tests, whole.priorExam, whole.sets]);
    }
  }
});

test('a link to a student leads to the page that has them', async () => {
  const { students: shown, rows } = await ask({ rows: '3', sort: mock, dir: 'desc', student: students['B3'] });
  expect([shown.map(({ admissionNo }) => admissionNo), rows?.from]).toEqual([expect.arrayContaining(['00B3']), 3]);
});

test('a mark that is entered moves its student in the rows, and is in the spread of all', async () => {
  const top = () => ask({ rows: '1', sort: mock, dir: 'desc' });
  expect((await top()).students[0]?.studentId).toBe(students['B1']);
  await enter(leader, [{ studentId: students['C1'], testId: mock, is: 20, was: [0] }]);
  const after = await top();
  expect([after.students[0]?.studentId, after.rows?.spread[0]?.totals.at(-1)]).toEqual([students['C1'], { total: 20, students: 1 }]);
});

test('who may write is each reader’s own, and rows of a class are of its students', async () => {
  const { rows, sets, students: shown } = await teacherB.ask<Markbook>('markbook', { yearGroupId, setId: setB, rows: '2' });
  expect([rows?.of, shown.every(({ setId }) => setId === setB), sets.filter(({ mayWrite }) => mayWrite).map(({ name }) => name)]).toEqual([
    4,
    true,
    ['11B'],
  ]);
});
