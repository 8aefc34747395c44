import type { ExportChoices } from '#api/marks/export.contract';
import { counted } from '../format.ts';

export const kinds = ['students', 'results', 'totals'] as const;
export type Kind = (typeof kinds)[number];

type Words = { readonly label: string; readonly none: string; readonly empty: string; readonly about: string };

export const words: Readonly<Record<Kind, Words>> = {
  students: {
    label: 'Students',
    none: 'This subject has no year group yet. Add one under Classes.',
    empty: 'No data for this year group...',
    about:
      'The list that Bulk Upload reads: change it in a spreadsheet, and bring it back there. Edit the Excel file in Excel, because opening a CSV file takes the zeros off the front of StudentIDs.',
  },
  results: {
    label: 'Results of an assessment',
    none: 'This subject has no assessment yet. Add one under Assessment Data.',
    empty: 'No data for this assessment...',
    about: 'Marks that staff have entered and, where they have not, those that students have submitted.',
  },
  totals: {
    label: 'Totals of an assessment',
    none: 'This subject has no assessment yet. Add one under Assessment Data.',
    empty: 'No totals for this assessment...',
    about: 'In the columns of totals_upload.csv, as Test 1: the total entered by staff, else the sum where every question has a mark.',
  },
};

type Test = ExportChoices['tests'][number];

/** 'Mock 1: 729 students', 'Mock 1: 729 totals, no question marks yet' */
export const choiceOf = (kind: 'results' | 'totals', { name, totals, results }: Test): string =>
  `${name}: ${amountOf(kind, totals, results)}`;

const amountOf = (kind: 'results' | 'totals', totals: number, results: number): string => {
  const count = kind === 'totals' ? totals : results;
  if (kind === 'results' && count === 0 && totals > 0) return `${counted(totals, 'total')}, no question marks yet`;
  return count === 0
    ? `no ${kind === 'totals' ? 'totals' : 'question marks'} yet`
    : kind === 'totals'
      ? counted(count, 'total')
      : counted(count, 'student');
};
