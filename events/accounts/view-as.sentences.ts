import { day } from '../change.ts';
import type { ReadEventOf } from '../codec/event.ts';
import type { Descriptions, Sentence, Things } from '../sentence.ts';
import { things } from '../sentence.ts';
import type { lookEvents } from './view-as.ts';

export const lookSentences: Descriptions<typeof lookEvents> = {
  StudentLookedAt: { says: ({ data }) => ['viewed the pages of ', things('student', data.studentId)] },
  DataHandedOut: {
    says: ({ data }) =>
      data.what === 'earlier moment'
        ? [`looked at the school as it was${on(data.asOf)}`]
        : [`${VERBS[data.as]} the ${data.what}`, ...ofWhat(data), data.asOf === undefined ? '' : `, as it was${on(data.asOf)}`],
  },
};

const VERBS = { file: 'downloaded', paper: 'printed', screen: 'looked at' } as const;

type HandedOut = Extract<ReadEventOf<typeof lookEvents>, { type: 'DataHandedOut' }>['data'];

/** " of 11X1 in Autumn test", " of Autumn test", " of Year 11 in Mathematics" */
const ofWhat = ({ studentId, setId, yearGroupId, testId, taskId, subjectId }: HandedOut): Sentence => {
  const whom = first(['student', studentId], ['class', setId], ['yearGroup', yearGroupId]);
  const where = first(['assessment', testId], ['task', taskId], ['subject', subjectId]);
  return [...(whom ? [' of ', whom] : []), ...(where ? [whom ? ' in ' : ' of ', where] : [])];
};

const first = (...all: readonly (readonly [kind: Things['kind'], id: string | undefined])[]): Things | undefined =>
  all.flatMap(([kind, id]) => (id === undefined ? [] : [things(kind, id)]))[0];

/** " on 12 March 2026, 09:30 UTC" */
const on = (asOf: string | undefined): string => (asOf === undefined ? '' : ` on ${day(asOf.slice(0, 10))}, ${asOf.slice(11, 16)} UTC`);
