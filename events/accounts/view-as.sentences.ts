import type { Descriptions } from '../sentence.ts';
import { things } from '../sentence.ts';
import type { lookEvents } from './view-as.ts';

export const lookSentences: Descriptions<typeof lookEvents> = {
  StudentLookedAt: { says: ({ data }) => ['viewed the pages of ', things('student', data.studentId)] },
};
