import { accountsProjection } from './accounts/accounts.ts';
import { looksProjection } from './accounts/view-as.ts';
import { assessments } from './assessments/assessments.ts';
import type { Projection } from './engine/projection.ts';
import { historyProjection } from './history/history.ts';
import { recordProjection } from './history/record.ts';
import { mappings } from './assessments/mappings.ts';
import { revisionLists } from './revision-lists/revision-lists.ts';
import { ledger } from './ledger/ledger.ts';
import { resultsProjection } from './marks/results.ts';
import { priorProjection } from './prior/prior.ts';
import { roster } from './students/roster.ts';
import { structure } from './school/structure.ts';
import { tasksProjection } from './tasks/feedback-tasks.ts';
import { gradeProfilesProjection } from './tasks/grade-profiles.ts';

/** The read models that queries use, now and as of earlier moments. */
export const askedProjections: readonly Projection[] = [
  structure,
  accountsProjection,
  looksProjection,
  roster,
  assessments,
  mappings,
  revisionLists,
  resultsProjection,
  priorProjection,
  gradeProfilesProjection,
  tasksProjection,
  historyProjection,
  recordProjection,
];

/** Every read model. */
export const projections: readonly Projection[] = [...askedProjections, ledger];
