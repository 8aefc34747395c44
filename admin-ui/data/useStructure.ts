import type { Structure } from '#api/school/school.contract';
import { useQuery } from '@tanstack/react-query';
import { useMoment } from '../moment.ts';
import { byName } from '../format.ts';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';

/** A subject's year groups with their sets, its schemes of work and its assessments. */
export const useStructure = (subjectId: string) =>
  useQuery({ ...question(useApi(), 'structure', { subjectId }, useMoment().asOf), select: inOrder });

const inOrder = (structure: Structure): Structure => ({
  ...structure,
  yearGroups: structure.yearGroups.map((group) => ({
    ...group,
    sets: group.sets.toSorted(byName),
  })),
});
