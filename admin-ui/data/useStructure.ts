import { useQuery } from '@tanstack/react-query';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';

/** A subject's year groups with their sets, its schemes of work and its assessments. */
export const useStructure = (subjectId: string) =>
  useQuery(question(useApi(), 'structure', { subjectId }, [`structure:${subjectId}`, 'roster']));
