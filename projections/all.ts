import { accountsProjection } from './accounts/accounts.ts';
import { assessments } from './assessments/assessments.ts';
import type { Projection } from './engine/projection.ts';
import { historyProjection } from './history/history.ts';
import { ledger } from './ledger/ledger.ts';
import { resultsProjection } from './results/results.ts';
import { roster } from './roster/roster.ts';
import { structure } from './structure/structure.ts';

/** Every read model. */
export const projections: readonly Projection[] = [
  structure,
  accountsProjection,
  roster,
  assessments,
  resultsProjection,
  historyProjection,
  ledger,
];
