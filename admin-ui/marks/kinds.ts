import type { Structure } from '#api/school/school.contract';

export type Kind = 'students' | 'results';

type Words = { readonly label: string; readonly item: string; readonly none: string; readonly empty: string };

export const kinds: Readonly<Record<Kind, Words>> = {
  students: {
    label: 'Students of a year group',
    item: 'Year group',
    none: 'This subject has no year group yet: add one under Classes.',
    empty: 'No data for this year group...',
  },
  results: {
    label: 'Results of an assessment',
    item: 'Assessment',
    none: 'This subject has no assessment yet: add one under Assessment Data.',
    empty: 'No data for this assessment...',
  },
};

/** What data of this kind can be exported for. */
export const itemsOf = (kind: Kind, { yearGroups, tests }: Structure): readonly { readonly id: string; readonly name: string }[] =>
  kind === 'students'
    ? yearGroups.map(({ yearGroupId, year }) => ({ id: yearGroupId, name: `Year ${year}` }))
    : tests.map(({ testId, name }) => ({ id: testId, name }));
