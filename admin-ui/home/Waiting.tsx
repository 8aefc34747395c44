import type { Waiting as Answer } from '#api/school/waiting.contract';
import type { ReactNode } from 'react';
import { useQuestion } from '../../ui/api/ApiProvider.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { counted, day } from '../format.ts';
import styles from './Waiting.module.css';

type OfSubject = { readonly subjectId: string; readonly name: string };

/** What is missing or undecided in the subject in use, each with the page where it is put right. */
export const Waiting = ({ subjectId, name }: OfSubject) => {
  const { data, isPending, error, refetch } = useQuestion('waiting', { subjectId });
  const kinds = data ? kindsOf(data, subjectId).filter(({ count }) => count > 0) : [];
  return (
    <Section title="What waits" aside={<span>for {name}</span>}>
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <Skeleton rows={3} label="Looking for what waits" />}
      {data && kinds.length === 0 && <p className={`muted ${styles.nothing}`}>Nothing waits for you: the set-up of {name} is complete.</p>}
      <ul className={styles.list}>
        {kinds.map(({ what, way, named, others }) => (
          <li key={way.to}>
            <p className="strong">{what}</p>
            <p className={`muted breaks ${styles.named}`}>
              {named.map(({ key, text, to }, place) => (
                <span key={key}>
                  {to === undefined ? text : <AppLink to={to}>{text}</AppLink>}
                  {place < named.length - 1 || others > 0 ? ', ' : ''}
                </span>
              ))}
              {others > 0 && `and ${others} more`}
            </p>
            <AppLink to={way.to} className={`strong ${styles.way}`}>
              {way.name}
            </AppLink>
          </li>
        ))}
      </ul>
    </Section>
  );
};

type Named = { readonly key: string; readonly text: ReactNode; /** where it is put right itself */ readonly to?: string };
type Kind = {
  readonly count: number;
  readonly what: string;
  readonly named: readonly Named[];
  /** How many are not named. */
  readonly others: number;
  readonly way: { readonly name: string; readonly to: string };
};

const kindsOf = ({ classes, datesOfBirth, assessments, people, twice, contested }: Answer, subject: string): readonly Kind[] => [
  {
    count: classes.count,
    what: `${counted(classes.count, 'class has', 'classes have')} no teacher`,
    named: classes.first.map(({ setId, name }) => ({ key: setId, text: name })),
    others: classes.count - classes.first.length,
    way: { name: 'Assign teachers', to: '/admin/teachers' },
  },
  {
    count: datesOfBirth.count,
    what: `${counted(datesOfBirth.count, 'student has', 'students have')} no date of birth, and cannot join without`,
    named: datesOfBirth.first.map(({ setId, name, students }) => ({
      key: setId,
      text: `${name} (${students})`,
      to: inStudents({ subject, group: setId }),
    })),
    others: 0,
    way: { name: 'Enter them', to: inStudents({ subject, group: datesOfBirth.first[0]?.setId ?? '' }) },
  },
  {
    count: assessments.count,
    what: `${counted(assessments.count, 'assessment has', 'assessments have')} no questions`,
    named: assessments.first.map(({ testId, name }) => ({ key: testId, text: name })),
    others: assessments.count - assessments.first.length,
    way: { name: 'Add questions', to: narrowed('/admin/assessments', { questions: 0 }) },
  },
  {
    count: people.count,
    what: `${counted(people.count, 'person was', 'people were')} invited and ${people.count === 1 ? 'has' : 'have'} not logged in yet`,
    named: people.first.map(({ accountId, name, invitedAt }) => ({
      key: accountId,
      text: `${name ?? 'a forgotten person'}${invitedAt === null ? '' : ` (since ${day(invitedAt)})`}`,
    })),
    others: people.count - people.first.length,
    way: { name: 'Send it again', to: narrowed('/admin/users', { state: 'invited' }) },
  },
  {
    count: twice.count,
    what: `${counted(twice.count, 'student', 'students')} may be there twice, with two StudentIDs`,
    named: twice.first.map(({ name, admissionNos }) => ({
      key: admissionNos.join(),
      text: `${name} (${admissionNos.join(' and ')})`,
      to: inStudents({ subject, find: name }),
    })),
    others: twice.count - twice.first.length,
    way: { name: 'Look at them', to: inStudents({ subject, find: twice.first[0]?.name ?? '' }) },
  },
  {
    count: contested.count,
    what: `${counted(contested.count, 'total is', 'totals are')} contested: two people entered different marks`,
    named: contested.first.map(({ testId, name, year, totals }) => ({
      key: `${testId}.${year}`,
      text: `${name}, Year ${year} (${totals})`,
      to: contestedIn(testId, year),
    })),
    others: 0,
    way: { name: 'Decide', to: contestedIn(contested.first[0]?.testId ?? '', contested.first[0]?.year ?? 0) },
  },
];

/** Student Details with a class, or with whoever is called so. */
const inStudents = (shown: Readonly<Record<string, string>>): string => `/admin/add_students?${new URLSearchParams(shown).toString()}`;

/** The address of a list that shows only such records. */
const narrowed = (page: string, filter: object): string => `${page}?${new URLSearchParams({ filter: JSON.stringify(filter) }).toString()}`;

/** The markbook with the students whose total is contested. */
const contestedIn = (testId: string, year: number): string =>
  `/leader/markbook?${new URLSearchParams({ year: String(year), only: `contested.${testId}` }).toString()}`;
