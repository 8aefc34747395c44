import { look } from '../../events/accounts/view-as.ts';
import { command } from '../common/command.ts';
import { noFacts } from '../common/facts.ts';
import { handOutCommands } from './hand-outs.contract.ts';

/** Data of others are handed out to the user: recorded before they are, by the server for its own answers, else by the page that makes the file. */
export const RecordHandOut = command({
  ...handOutCommands.RecordHandOut,
  aggregate: look,
  streamId: (_input, { actor }) => actor.accountId,
  facts: { ...noFacts, load: async (_query, _input, _actor, about) => about?.subjectId },
  decide: ({ asOf, ...handOut }, _state, subjectId) => [
    {
      type: 'DataHandedOut',
      data: {
        ...handOut,
        ...(subjectId && { subjectId }),
        ...(asOf === undefined ? {} : { asOf: new Date(asOf).toISOString() }),
      },
    },
  ],
  answer: () => ({}),
});
