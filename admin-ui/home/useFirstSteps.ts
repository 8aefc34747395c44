import { useGetList } from 'react-admin';
import { useSession } from '../../ui/session/Session.tsx';
import type { Subject } from '../school/subjects/subject.ts';

/** `to`: the page where the step is done. */
export type FirstStep = {
  readonly name: string;
  readonly how: string;
  readonly to: string;
  readonly done: boolean;
  /** A school may do without it, and is set up all the same. */
  readonly isOptional?: true;
};

type FirstSteps = {
  readonly steps: readonly FirstStep[];
  readonly done: number;
  /** undefined: the subject is set up */
  readonly next: FirstStep | undefined;
  /** The subject in use; undefined: there is none yet. */
  readonly subject: Subject | undefined;
};

/** The steps to the first marks of the subject in use, ticked according to what exists. undefined: still loading. */
export const useFirstSteps = (): FirstSteps | undefined => {
  const chosen = useSession().subject?.subjectId;
  const { data } = useGetList<Subject>('subjects', { pagination: { page: 1, perPage: 100 } });
  if (!data) return undefined;
  const subject = data.find(({ id }) => id === chosen);
  const steps = stepsOf(subject);
  const next = steps.find(({ done, isOptional }) => !done && !isOptional);
  return { steps, subject, done: steps.filter(({ done }) => done).length, next };
};

const stepsOf = (subject: Subject | undefined): readonly FirstStep[] => [
  {
    name: 'Add a subject',
    how: 'Such as Mathematics. Everything else belongs to one.',
    to: '/admin/subjects',
    done: subject !== undefined,
  },
  {
    name: 'Add a scheme of work with its topics',
    how: 'Typed, or from sow_upload.csv.',
    to: '/admin/sow',
    done: subject?.schemesWithTopics === true,
  },
  {
    name: 'Add an assessment with its questions',
    how: 'From assessment_upload.csv: question number, topic, maximum mark.',
    to: '/admin/assessments',
    done: subject?.assessmentsWithQuestions === true,
  },
  {
    name: 'Import the students with their sets',
    how: 'One CSV file with StudentID, name, set and date of birth; it makes the year group and the sets that are missing.',
    to: '/admin/upload_students',
    done: subject !== undefined && subject.students + subject.offRoll > 0,
  },
  {
    name: 'Say which set sits which assessment',
    how: 'Chosen with the import for the sets that it makes; for all others under Classes.',
    to: '/admin/classes',
    done: subject?.setsWithAssessments === true,
  },
  {
    name: 'Add the teachers and their classes',
    how: 'Each with the classes whose marks they enter.',
    to: '/admin/teachers',
    done: subject?.teachersWithClasses === true,
  },
  {
    name: 'Invite the teachers',
    how: 'Each gets a mail with a link to choose a password. Until then nobody but you can log in.',
    to: '/admin/users',
    done: subject?.teachersInvited === true,
    isOptional: true,
  },
  {
    name: 'Make the joining code for the students',
    how: 'With it they log in and see their own results. Printed on stickers, or shown on a screen.',
    to: '/admin/users_students',
    done: subject?.hasJoinCode === true,
    isOptional: true,
  },
  {
    name: 'Upload the first marks',
    how: 'Totals or question marks, from the leader’s home.',
    to: '/leader',
    done: subject !== undefined && subject.marks > 0,
  },
];
