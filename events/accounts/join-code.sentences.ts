import { changesOf, wordsOrNone } from '../change.ts';
import type { Descriptions } from '../sentence.ts';
import { things } from '../sentence.ts';
import type { joinCodeEvents } from './join-code.ts';

export const joinCodeSentences: Descriptions<typeof joinCodeEvents> = {
  JoinCodeIssued: { says: ({ data }) => ['made a new joining code for ', things('subject', data.subjectId)] },
  JoinDomainChanged: {
    says: ({ data: { subjectId, domain } }) =>
      domain === null
        ? ['let students join ', things('subject', subjectId), ' with any e-mail address']
        : ['let students join ', things('subject', subjectId), ` only with e-mail addresses of ${domain}`],
    changes: ({ data }) => changesOf('subject', data.subjectId, { 'E-mail domain': wordsOrNone(data.domain) }),
  },
};
