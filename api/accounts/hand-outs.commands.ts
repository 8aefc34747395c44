import { look } from '../../events/accounts/view-as.ts';
import { noSuchSentence } from '../common/about.ts';
import { command, refuse } from '../common/command.ts';
import { noFacts } from '../common/facts.ts';
import { handOutCommands } from '../contract/hand-outs.ts';

/** Data of others are handed out to the user: recorded before they are, by the server for its own answers, else by the page that makes the file. */
export const RecordHandOut = command({
  ...handOutCommands.RecordHandOut,
  aggregate: look,
  streamId: (_input, { actor }) => actor.accountId,
  facts: { ...noFacts, load: async (_query, _input, _actor, about) => about },
  decide({ asOf, ...handOut }, _state, about) {
    // What is deleted was there at an earlier moment.
    if (about?.missing && asOf === undefined) return refuse('not-found', noSuchSentence(about.missing));
    const ofSubject = about?.subjectId ? { subjectId: about.subjectId } : {};
    const ofMoment = asOf === undefined ? {} : { asOf: new Date(asOf).toISOString() };
    return [{ type: 'DataHandedOut', data: { ...handOut, ...ofSubject, ...ofMoment } }];
  },
  answer: () => ({}),
});
