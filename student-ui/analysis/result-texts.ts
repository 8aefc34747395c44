import type { StudentHome } from '#api/analysis/student/student.contract';

type Result = Pick<NonNullable<StudentHome['results']>[number], 'ranking' | 'score' | 'grade' | 'overridden'>;

/** 'grade 7 (overridden)', 'score 81.89', 'rank 1'; without what there is none of. */
export const resultTexts = ({ ranking, score, grade, overridden }: Result): readonly string[] => {
  const text = (of: (typeof overridden)[number], value: string | number) =>
    `${of === 'ranking' ? 'rank' : of} ${value}${overridden.includes(of) ? ' (overridden)' : ''}`;
  return [
    ...(grade === null ? [] : [text('grade', grade)]),
    ...(score === null ? [] : [text('score', score.toFixed(2))]),
    ...(ranking === null ? [] : [text('ranking', ranking)]),
  ];
};
