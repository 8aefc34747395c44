import type { Sources } from '../../staff-ui/analysis/reports/student-parts.ts';
import { id } from './decider.ts';

/** Five questions of 10 marks. Of the class Q1 to Q5 .90 .75 .50 .20 0, of all students .80 .80 .55 .10 .05. */
const classRatios = [0.9, 0.75, 0.5, 0.2, 0];
const allRatios = [0.8, 0.8, 0.55, 0.1, 0.05];
const questions = classRatios.map((_, index) => ({
  questionId: id(`q${index + 1}`),
  number: index + 1,
  topic: `Topic ${index + 1}`,
  max: 10,
}));
const [testId, setId, subjectId, yearGroupId] = [id('mock'), id('11X1'), id('maths'), id('year')];
const thresholds = { red: 0, amber: 40, green: 70 };
/** One that bears on a topic through a pre-requisite. */
const bearing = { questionId: id('question'), testId, byHand: false, through: [id('number')], marks: 7, available: 10 };
const set = { setId, name: '11X1', subjectId, yearGroupId, thresholds, scheme: null, prerequisites: [], tests: [] };
const sums = { sum: 0, count: 0 };

export const studentOf = (
  name: string,
  marks: readonly (number | null)[],
  staffTotal: number | null,
): Sources['sheet']['students'][number] => ({
  studentId: id(name),
  name,
  admissionNo: 'M0001',
  setId,
  attendance: { value: 'sat' },
  total: null,
  staffTotal,
  marks: sums,
  effective: { sum: marks.reduce<number>((all, mark) => all + (mark ?? 0), 0), count: marks.filter((mark) => mark !== null).length },
  cells: marks.map((value) => (value === null ? null : { value, source: 'staff' })),
});

export const sourcesOf = (students: Sources['sheet']['students'], reliability: number | null): Sources => ({
  moment: '2026-11-25T12:00:00Z',
  list: { testId, name: 'Mock 1', headers: [] },
  sheet: { version: '', testId, name: 'Mock 1', subjectId, max: 50, mayWrite: true, sets: [], questions: [...questions], students },
  home: {
    ...set,
    students: students.length,
    topics: [],
    completed: [
      {
        testId,
        name: 'Mock 1',
        max: 50,
        day: null,
        average: { n: 20, mean: 47, sd: 10 },
        all: { n: 100, mean: 46 },
        leftOut: [],
        questions: questions.map((question, index) => ({
          ...question,
          own: { sum: 200 * (classRatios[index] ?? 0), n: 20 },
          all: { sum: 1000 * (allRatios[index] ?? 0), n: 100 },
          reliability,
        })),
        reliability,
        targets: { percentage: { strengths: [], weaknesses: [] }, comparison: { strengths: [], weaknesses: [] } },
      },
    ],
  },
  predictors: {
    ...set,
    students: students.length,
    schemes: [],
    prerequisites: [{ topicId: id('number'), name: 'Number' }],
    topics: [{ schemeTopicId: id('algebra'), name: 'Algebra', questions: [bearing], predicted: true }],
    of: students.map(({ studentId, name, admissionNo }) => ({
      studentId,
      name,
      admissionNo,
      topics: [{ value: 70, rag: 'amber', marks: 7, available: 10 }],
    })),
  },
  markbook: {
    yearGroupId,
    year: 11,
    subject: { subjectId, name: 'Mathematics' },
    sets: [],
    tests: [{ testId, name: 'Mock 1', max: 50, mean: null, sd: null, count: 20 }],
    students: students.map(({ studentId, name, staffTotal }) => ({
      studentId,
      name,
      admissionNo: null,
      setId,
      totals: [{ total: staffTotal, source: 'total', attendance: 'sat' }],
    })),
  },
});
