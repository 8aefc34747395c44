import type { ParsedPrior } from '#api/prior/prior-file.contract';
import { priorTemplate } from '#api/prior/prior-file.contract';
import type { Kind } from '../../ui/file/brought/brought.ts';

/** Prior data: a grade or a number for each student. */
export const priorKind: Kind<ParsedPrior> = {
  template: priorTemplate,
  people: ['id', 'name'],
  target: {
    roles: ['id', 'name', 'surname', 'first'],
    values: [{ name: 'Grade', also: ['Score', 'Scaled score', 'Result', 'Level', 'Mark', 'Prior', 'KS2'] }],
  },
};
