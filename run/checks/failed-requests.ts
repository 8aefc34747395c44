import { DAMAGED, failuresWithin } from '../../api/common/failures.ts';
import type { Finding } from './finding.ts';

const MINUTES = 10;

/** What requests of this process failed with in the last minutes. Only damage is a matter for the operator after it has passed. */
export const failedRequests = (failures = failuresWithin(MINUTES)): Finding => {
  const kinds = [...failures].map(([kind, count]) => `${kind} (${count})`);
  return {
    fact:
      kinds.length === 0
        ? `No request has failed here in the last ${MINUTES} minutes.`
        : `What requests failed with here in the last ${MINUTES} minutes: ${kinds.join('; ')}.`,
    ...(failures.has(DAMAGED) && {
      problem: 'Pages of the database are damaged: requests have failed at them. What to do is in docs/operations.md, "Damage".',
    }),
  };
};
