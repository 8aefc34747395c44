import { useGetList } from 'react-admin';
import { AppLink } from '../../ui/frame/places.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import type { Subject } from '../subjects/subject.ts';
import styles from './Home.module.css';

/** From an empty school to its first marks: each step with its page, ticked from what is there. Gone once marks are there. */
export const FirstSteps = () => {
  const { subject } = useSession();
  const { data } = useGetList<Subject>('subjects', { pagination: { page: 1, perPage: 100 } });
  if (!data) return null;
  const chosen = data.find(({ id }) => id === subject?.subjectId);
  const steps = stepsOf(chosen);
  const open = steps.filter(({ done }) => !done).length;
  if (open === 0) return null;
  const next = steps.find(({ done }) => !done);
  return (
    <Section
      title="First steps"
      aside={<span>{`${steps.length - open} of ${steps.length} done${chosen ? ` for ${chosen.name}` : ''}`}</span>}
    >
      <p className={styles.intro}>From an empty school to its first marks in under 15 minutes.</p>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.name} data-done={step.done || undefined} data-next={step === next || undefined}>
            <Tick done={step.done} />
            <div>
              <AppLink to={step.to}>{step.name}</AppLink>
              <span className="sr">{step.done ? ' (done)' : ' (to do)'}</span>
              <p>{step.how}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
};

type Step = { readonly name: string; readonly how: string; readonly to: string; readonly done: boolean };

const stepsOf = (subject: Subject | undefined): readonly Step[] => [
  {
    name: 'Add a subject',
    how: 'Such as Mathematics. Everything else belongs to one.',
    to: '/admin/subjects',
    done: subject !== undefined,
  },
  { name: 'Add a scheme of work', how: 'Its topics, typed or from sow_upload.csv.', to: '/admin/sow', done: has(subject?.schemes) },
  {
    name: 'Add an assessment with its questions',
    how: 'From assessment_upload.csv: question number, topic, maximum mark.',
    to: '/admin/assessments',
    done: has(subject?.assessments),
  },
  { name: 'Add a year group', how: 'Such as 11.', to: '/admin/classes', done: has(subject?.yearGroups) },
  {
    name: 'Import the students',
    how: 'One CSV file with StudentID, name, set and date of birth; it makes the sets that are missing.',
    to: '/admin/upload_students',
    done: has(subject?.students),
  },
  {
    name: 'Say which set sits which assessment',
    how: 'Under Classes, for each set.',
    to: '/admin/classes',
    done: subject?.setsWithAssessments === true,
  },
  {
    name: 'Add the teachers and their classes',
    how: 'Then invite them under Manage Users.',
    to: '/admin/teachers',
    done: has(subject?.teachers),
  },
  {
    name: 'Upload the first marks',
    how: 'Totals or question marks, from the leader’s home.',
    to: '/leader',
    done: subject?.holdsMarks === true,
  },
];

const has = (count: number | undefined): boolean => count !== undefined && count > 0;

const Tick = ({ done }: { readonly done: boolean }) => (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <rect x="1.5" y="1.5" width="17" height="17" rx="4" fill="none" stroke="var(--line)" strokeWidth="1.5" />
    {done && <path d="m5 10.5 3.5 3.5L15 6.5" fill="none" stroke="var(--brand)" strokeWidth="2.4" />}
  </svg>
);
