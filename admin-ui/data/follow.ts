import type { QueryClient } from '@tanstack/react-query';
import type { Followed } from '../../ui/api/ApiProvider.tsx';

/** The live topics that refetch a resource. Marks are not among them: lists only show whether there are any. */
const follows: Readonly<Record<string, readonly Followed[]>> = {
  subjects: ['structure', 'roster'],
  schemes: ['structure'],
  assessments: ['structure'],
  yearGroups: ['structure', 'roster'],
  sets: ['structure', 'roster'],
  terminalExams: ['structure'],
  teachers: ['structure'],
  students: ['structure', 'roster'],
  staffUsers: ['structure', 'staff'],
  deleted: ['structure'],
  studentUsers: ['structure', 'roster', 'staff'],
};

/** Refetches react-admin's lists and records when others change them, like all other queries (ui/api/ApiProvider.tsx). */
export const followOthers = (client: QueryClient): void => {
  for (const [resource, topics] of Object.entries(follows)) client.setQueryDefaults([resource], { meta: { topics } });
};
