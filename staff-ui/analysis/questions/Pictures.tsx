import type { QuestionAnalysis } from '#api/analysis/tests.contract';
import { useState } from 'react';
import { Select } from '../../../ui/controls/Field.tsx';
import { Chart } from '../charts/Chart.tsx';
import type { Point } from '../charts/PointsPicture.tsx';
import { PointsPicture, StackPicture } from '../charts/pictures.ts';
import { counted, fourDecimals, some } from '../../format.ts';
import type { Group, Row } from './rows.ts';
import { groupsOf, percent, readingOf, WEAK } from './rows.ts';
import styles from './Questions.module.css';

type PointsProps = { readonly group: Group; readonly rows: readonly Row[]; readonly onOpen: (row: Row) => void };

/** How hard each question was, against how well it tells strong from weak students. */
export const HardAndTelling = ({ group, rows, onOpen }: PointsProps) => {
  const { evidence } = group.figures;
  const points = rows.flatMap((row): Point[] => {
    const { of, questionId, number, topic } = row;
    if (!of || of.discrimination === null) return [];
    const label = `Q${number} ${topic}: facility ${percent(of.facility)}, discrimination ${fourDecimals(of.discrimination)}, ${readingOf(of.discrimination)}`;
    const tone = evidence === 'weak' ? 'weak' : of.discrimination < WEAK ? 'warn' : undefined;
    return [{ id: questionId, name: `Q${number}`, x: of.facility, y: of.discrimination, label, tone }];
  });
  if (points.length === 0) return null;
  const weak = rows.filter(({ of }) => of && of.discrimination !== null && of.discrimination < WEAK);
  const least = Math.min(0, ...points.map(({ y }) => Math.floor(5 * y) / 5));
  return (
    <Chart
      title={
        weak.length === 0
          ? 'Every question tells strong from weak students'
          : `${counted(weak.length, 'question')} hardly ${weak.length === 1 ? 'tells' : 'tell'} strong from weak students`
      }
      says={`${group.name}: each dot is a question: further right is easier, further up tells more. Between 30 and 70 % a question tells most.${
        weak.length > 0
          ? ` Below ${WEAK}: ${some(
              weak.map(({ number }) => `Q${number}`),
              6,
            )}.`
          : ''
      }${evidence === 'weak' ? ' Fewer than 20 students: this says little.' : ''}`}
      twin={{
        head: ['Question', 'Facility', 'Discrimination'],
        rows: rows.map(({ questionId, number, topic, of }) => ({
          id: questionId,
          cells: [
            `Q${number} ${topic}`,
            of ? fourDecimals(of.facility) : '–',
            !of || of.discrimination === null ? '–' : fourDecimals(of.discrimination),
          ],
        })),
      }}
    >
      <PointsPicture
        label={`Facility and discrimination, ${group.name}`}
        points={points}
        least={least}
        weak={WEAK}
        onChoose={(id) => {
          const row = rows.find(({ questionId }) => questionId === id);
          if (row) onOpen(row);
        }}
      />
    </Chart>
  );
};

type DistributionProps = { readonly analysis: QuestionAnalysis; readonly rows: readonly Row[] };

/** How the students of each class share out over the marks of one question. */
export const Distribution = ({ analysis, rows }: DistributionProps) => {
  const [chosen, setChosen] = useState<string>();
  const withMarks = rows.filter((row) =>
    groupsOf(analysis).some(({ figures }) => figures.questions[analysis.questions.findIndex((one) => one.questionId === row.questionId)]),
  );
  const hardest = withMarks.toSorted((a, b) => (a.of?.facility ?? 2) - (b.of?.facility ?? 2))[0];
  const row = withMarks.find(({ questionId }) => questionId === chosen) ?? hardest;
  if (!row) return null;
  const place = analysis.questions.findIndex(({ questionId }) => questionId === row.questionId);
  const parts = partsOf(row.max);
  const groups = groupsOf(analysis).flatMap(({ id, name, figures }) => {
    const of = figures.questions[place];
    return of && (id !== 'all' || figures.n !== analysis.ofYear.n)
      ? [{ id, name, n: figures.n, counts: countsOf(of.distribution, parts) }]
      : [];
  });
  const full = groups[0];
  const labelOf = (name: string, part: string, count: number, n: number) =>
    `${name}: ${part} ${part === '1' ? 'mark' : 'marks'}, ${percent(count / n)}, ${count} of ${counted(n, 'student')}`;
  return (
    <Chart
      title={`Marks in Q${row.number} ${row.topic}, class by class`}
      says={
        full
          ? `Of ${counted(full.n, 'student')} in ${full.name}, ${percent((full.counts[0] ?? 0) / full.n)} got no mark and ${percent((full.counts.at(-1) ?? 0) / full.n)} got all ${row.max}.`
          : 'How many students of each class got which mark.'
      }
      twin={{
        head: ['Class', 'Students', ...parts.map(({ name }) => `${name} of ${row.max}`)],
        rows: groups.map(({ id, name, n, counts }) => ({ id, cells: [name, n, ...counts] })),
      }}
    >
      <div className={`row gap-4 ${styles.choice}`}>
        <Select label="Question" value={row.questionId} onChange={({ target }) => setChosen(target.value)}>
          {withMarks
            .toSorted((a, b) => a.number - b.number)
            .map(({ questionId, number, topic }) => (
              <option key={questionId} value={questionId}>
                Q{number} {topic}
              </option>
            ))}
        </Select>
      </div>
      <StackPicture
        label={`Marks in question ${row.number} by class`}
        parts={parts.map(({ name }) => name)}
        rows={groups.map(({ id, name, n, counts }) => ({
          id,
          name,
          shares: counts.map((count) => (100 * count) / n),
          labels: counts.map((count, index) => labelOf(name, parts[index]?.name ?? '', count, n)),
        }))}
      />
    </Chart>
  );
};

type Part = { readonly name: string; readonly from: number; readonly to: number };

/** Each mark by itself where they are few; else none, two halves, and all. */
const partsOf = (max: number): readonly Part[] => {
  if (max <= 5)
    return Array.from({ length: max + 1 }, (_, mark) => ({ name: String(mark), from: mark, to: mark === max ? Infinity : mark }));
  const half = Math.ceil(max / 2);
  return [
    { name: '0', from: 0, to: 0 },
    { name: `1–${half - 1}`, from: 1, to: half - 1 },
    { name: `${half}–${max - 1}`, from: half, to: max - 1 },
    { name: String(max), from: max, to: Infinity },
  ];
};

const countsOf = (distribution: readonly (readonly [number, number])[], parts: readonly Part[]): readonly number[] =>
  parts.map(({ from, to }) => distribution.reduce((all, [mark, students]) => all + (mark >= from && mark <= to ? students : 0), 0));
