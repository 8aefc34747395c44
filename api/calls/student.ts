import { cardReads } from './student/card-reads.ts';
import { submitting } from './student/submitting.ts';
import { topicReads } from './student/topic-reads.ts';

/** What students ask about themselves, and staff who view as one of them, which is recorded; and the marks that students confirm. */
export const studentCalls = { ...topicReads, ...cardReads, ...submitting };
