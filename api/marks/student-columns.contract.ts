/** Without schemas, as pages load it. */

/**
 * How the values of a column are read, shown and sorted. `points` and `grade` are texts, by their points and by their letters; a `rank` is
 * best at 1; a `score` has two decimals; a `difference` of ranks has a sign.
 */
export type StudentColumn = {
  readonly of: string;
  readonly label: string;
  readonly is: 'points' | 'rank' | 'score' | 'difference' | 'grade';
  /** In the description of the answer. */
  readonly about?: string;
};

/**
 * What the markbook says of a student besides the totals, of the exam and the ranking that are shown: the one list for the answer, its SQL
 * (`COLUMNS` of markbook.query.ts), the table, paper and Excel, in their order.
 */
export const studentColumns = [
  { of: 'prior', label: 'Prior', is: 'points', about: 'As typed, in `priorExam`. Left out: none.' },
  {
    of: 'ranking',
    label: 'Ranking',
    is: 'rank',
    about: 'This and the next three: of the ranking that is shown, or as the leader decided. Left out: none.',
  },
  { of: 'score', label: 'Score', is: 'score' },
  { of: 'residual', label: 'Residual', is: 'difference' },
  { of: 'grade', label: 'Grade', is: 'grade' },
] as const satisfies readonly StudentColumn[];
