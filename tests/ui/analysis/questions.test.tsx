import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { testFigures } from '../../../api/analysis/items.formula.ts';
import type { GroupFigures, QuestionAnalysis } from '../../../api/analysis/tests.contract.ts';
import { namePlaces } from '../../../staff-ui/analysis/charts/named-points.ts';
import { QuestionTable } from '../../../staff-ui/analysis/questions/QuestionTable.tsx';
import { findingOf, groupsOf, notCompared, rowsOf, standingsOf, studentsText } from '../../../staff-ui/analysis/questions/rows.ts';

/** Two questions of 4 and 10; `marks`: of each student. */
const figures = (marks: readonly (readonly [number, number])[]): GroupFigures => ({
  ...testFigures(marks, [4, 10]),
  leftOut: { absent: 1, exempt: 0, noMarks: 2 },
  open: [null, null],
});
const analysisOf = (...sets: readonly (readonly (readonly [number, number])[])[]): QuestionAnalysis => ({
  testId: 't',
  name: 'Mock',
  subjectId: 's',
  yearGroupId: 'y',
  year: 11,
  max: 14,
  questions: [
    { questionId: 'q1', number: 1, topic: 'Ratio', max: 4, reliability: 0.2 },
    { questionId: 'q2', number: 2, topic: 'Surds', max: 10, reliability: 0.2 },
  ],
  topics: [],
  all: figures(sets.flat()),
  ofYear: figures(sets.flat()),
  sets: sets.map((marks, place) => ({ setId: `${place}`, name: `11X${place + 1}`, ...figures(marks) })),
});
/** As many students, with marks of the first question about `first`, of the second about 5. */
const set = (many: number, first: number) => Array.from({ length: many }, (_, at): [number, number] => [first + (at % 2), 4 + (at % 3)]);

test('a class differs from the year in a question only by more than chance, and not at all below ten students', () => {
  const analysis = analysisOf(set(20, 0), set(20, 2), set(20, 3), set(9, 0));
  const standings = standingsOf(analysis);
  expect([...standings.values()]).toEqual([
    ['lower', 'among'],
    ['among', 'among'],
    ['higher', 'among'],
    [undefined, undefined],
  ]);
  const said = groupsOf(analysis)
    .slice(1, -1)
    .map((group) => notCompared(analysis, group) ?? findingOf(rowsOf(analysis, group, standings), group));
  expect(said).toEqual([
    '11X1 lost most against the year on Q1 Ratio (−36.1).',
    'In no question is 11X2 below the year by more than chance.',
    'In no question is 11X3 below the year by more than chance.',
    'Fewer than 10 students of 11X4 have marks: nothing is compared with the year.',
  ]);
  expect(studentsText(analysis.ofYear)).toBe('69 of 72 students');
  const alone = analysisOf(set(20, 0));
  expect(groupsOf(alone).map((group) => notCompared(alone, group))[1]).toBe(
    'Everybody of the year with marks is in 11X1: there is nothing to compare with.',
  );
});

test('the table of a class colours what chance does not explain, and says once what is not enough evidence', () => {
  const analysis = analysisOf(set(20, 0), set(20, 2));
  const group = groupsOf(analysis)[1];
  if (!group) expect.fail('two classes');
  const rows = rowsOf(analysis, group, standingsOf(analysis));
  const table = renderToStaticMarkup(<QuestionTable group={group} rows={rows} ofAll="fair" onOpen={() => undefined} />);
  expect(table.match(/data-stands="\w+"/g)).toEqual(['data-stands="lower"', 'data-stands="among"']);
  expect(table.match(/by more than chance/g)).toHaveLength(1);
  expect(table.match(/not enough evidence/g)).toHaveLength(1);
});

test('names of dots cover neither dots nor each other, wherever the dots stand', () => {
  const at = (id: string, x: number, y: number) => ({ id, name: `Q${id}`, x, y, label: id });
  const crowd = ['1', '2', '3', '4', '5', '6'].map((id, place) => at(id, 0.5 + place / 100, 0.3));
  const places = namePlaces([at('0', 0.1, 0.9), ...crowd], 900, 300);
  expect(places.get('0')).toMatchObject({ dx: 9, dy: 0 });
  const named = crowd.flatMap(({ id, x }) => {
    const place = places.get(id);
    return place ? [`${Math.round(x * 900) + place.dx} ${place.dy}`] : [];
  });
  expect(named.length).toBeGreaterThan(2);
  expect(new Set(named).size).toBe(named.length);
  expect(crowd.some(({ id }) => places.get(id)?.dy === 0 && places.get(id)?.anchor === 'start' && id !== '6')).toBe(false);
});
