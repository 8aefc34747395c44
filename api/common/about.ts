import { ProblemError } from './problems.ts';

/** What a request can be about, and the name of its id in every input. */
export const IDS = {
  subject: 'subjectId',
  yearGroup: 'yearGroupId',
  class: 'setId',
  assessment: 'testId',
  task: 'taskId',
  student: 'studentId',
  scheme: 'schemeId',
  exam: 'terminalExamId',
  question: 'questionId',
  schemeTopic: 'schemeTopicId',
} as const;
export type Thing = keyof typeof IDS;

/** What the ids of a request stand for (api/pipeline/about.ts); all of it belongs to one subject. */
export type About = {
  /** Empty if the request is about no subject, such as one about the user. */
  readonly subjectId: string;
  /** The one that is named, or that of the class or task that is. */
  readonly yearGroupId: string | undefined;
  readonly testId: string | undefined;
  /** The class that is named, or that of the student who is: in the ranking of a task that is named, else at present. */
  readonly setId: string | undefined;
  /** The classes of the year group that is named. */
  readonly setIds: readonly string[];
};

const NAMES: Readonly<Record<Thing, string>> = {
  subject: 'subject',
  yearGroup: 'year group',
  class: 'class',
  assessment: 'assessment',
  task: 'feedback task',
  student: 'student',
  scheme: 'scheme of work',
  exam: 'terminal exam',
  question: 'question',
  schemeTopic: 'topic in a scheme of work',
};

/** Only for those who may see the task. */
export const taskDeleted = (by: string | null): ProblemError =>
  new ProblemError('not-found', `This feedback task was deleted by ${by ?? 'somebody who was forgotten'}.`);

/** The same for what does not exist and for what belongs to a subject that the user may not see. */
export const noSuchSentence = (thing: Thing): string => `There is no such ${NAMES[thing]}.`;
export const noSuch = (thing: Thing): ProblemError => new ProblemError('not-found', noSuchSentence(thing));
