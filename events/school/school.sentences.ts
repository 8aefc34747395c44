import type { Descriptions } from '../sentence.ts';
import type { schoolEvents } from './school.ts';

/** A school is no thing among others: its sentences hold what was set. */
export const schoolSentences: Descriptions<typeof schoolEvents> = {
  SchoolOpened: { says: ({ data }) => [`opened the school ${data.name}`] },
  SchoolRenamed: { says: ({ data }) => [`renamed the school to ${data.name}`] },
  SchoolStructureOpened: { says: () => ['let leaders change the structure of their subjects'] },
  SchoolStructureClosed: { says: () => ['stopped leaders from changing the structure of their subjects'] },
  SchoolResultsShown: { says: () => ['showed students their rank, score and grade on their home'] },
  SchoolResultsHidden: { says: () => ['hid their rank, score and grade from students'] },
  SchoolReportWordsChanged: {
    says: ({ data }) => [`changed what reports say, ${data.comparisons ? 'with' : 'without'} comparisons with other students`],
  },
};
