import { useMoment } from '../moment.ts';
import type { AssessmentContents } from '#api/assessments/assessments.contract';
import { useQuery } from '@tanstack/react-query';
import type { RecordOf } from '../data/record.ts';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { counted, listed } from '../format.ts';

/** A record of /api/rest/assessments. */
export type Assessment = RecordOf<'assessments'>;

/** Its questions, and what depends on them. */
export const useContents = ({ id }: Pick<Assessment, 'id'>) => useQuery(question(useApi(), 'assessment', { testId: id }, useMoment().asOf));

/** What would be removed with an assessment, in words. */
export const whatGoes = ({ questions, students, sets }: AssessmentContents): string => {
  const mappings = questions.reduce((sum, one) => sum + one.mappings, 0);
  const parts = [
    { count: questions.length, text: counted(questions.length, 'question') },
    { count: students, text: `the marks of ${counted(students, 'student')}` },
    { count: mappings, text: counted(mappings, 'topic mapping') },
    { count: sets.length, text: `its place in ${counted(sets.length, 'set')}` },
  ].filter(({ count }) => count > 0);
  return parts.length === 0
    ? 'It is empty so far.'
    : `With it go ${listed(parts.map(({ text }) => text))}: hidden, not lost. Undo brings everything back.`;
};
