import type { ParsedResults } from '#api/marks/upload/results-file.contract';
import { resultsTemplate } from '#api/marks/upload/results-file.contract';
import type { ParsedTotals } from '#api/marks/upload/totals-file.contract';
import { totalsTemplate } from '#api/marks/upload/totals-file.contract';
import type { Questions } from '#api/assessments/assessments.contract';
import type { Structure } from '#api/school/school.contract';
import type { Kind } from '../../../ui/file/brought/brought.ts';
import { isNameOfTest } from './test-names.ts';

type Test = Structure['tests'][number];

const who = { roles: ['id', 'name', 'surname', 'first'], people: ['id', 'name'] } as const;

/** Totals of up to six assessments. A column may be headed by the name of one. */
export const totalsKind = (tests: readonly Test[]): Kind<ParsedTotals> => ({
  template: totalsTemplate,
  people: who.people,
  target: {
    roles: who.roles,
    values: totalsTemplate.columns
      .slice(2)
      .map((name, at) => ({ name, ...(at === 0 ? { also: ['Total', 'Totals', 'Mark', 'Marks', 'Score', 'Result', 'Points'] } : {}) })),
    heads: (heading) => tests.some((test) => isNameOfTest(heading, test)),
  },
  awayBy: 'column',
});

/** Question marks of an assessment: by number, by topic, or in the order of the paper. */
export const resultsKind = ({ questions }: Pick<Questions['tests'][number], 'questions'>): Kind<ParsedResults> => {
  const topics = questions.map(({ topic }) => topic);
  return {
    template: resultsTemplate,
    people: who.people,
    target: {
      roles: who.roles,
      values: questions.map(({ number, topic, marksAvailable }) => ({
        name: `Q${number}`,
        max: marksAvailable,
        also: topics.filter((one) => one === topic).length === 1 ? [topic] : [],
      })),
    },
    awayBy: 'row',
  };
};
