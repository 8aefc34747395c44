import type { QueryClient } from '@tanstack/react-query';
import type { Followed } from '../../ui/api/ApiProvider.tsx';

/** The live changes after which a resource's records may be others. Marks are not among them: of those the lists only say whether there are any. */
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

/** Lets react-admin's lists and records follow what others do, as every other question of the product does (ui/api/ApiProvider.tsx). */
export const followOthers = (client: QueryClient): void => {
  for (const [resource, topics] of Object.entries(follows)) client.setQueryDefaults([resource], { meta: { topics } });
};
