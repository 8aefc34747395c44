import type { Actor } from '../../api/actor.ts';
import { systemActor } from '../../api/actor.ts';
import type { Builder } from './builder.ts';
import { SCHOOL } from './builder.ts';

const PASSWORD = 'marktrail-demo';

export type Person = { readonly name: string; readonly email: string; readonly about: string };
export const people = {
  admin: { name: 'Ada Nwosu', email: 'admin@demo.example', about: 'admin' },
  leader: { name: 'Grace Bell', email: 'leader@demo.example', about: 'subject leader of Mathematics' },
  teacher1: { name: 'Tom Hughes', email: 'teacher1@demo.example', about: 'teacher of 11X1 to 11X3' },
  teacher2: { name: 'Priya Shah', email: 'teacher2@demo.example', about: 'teacher of 11Y1, 11Y2 and Science' },
  teacher3: { name: 'Daniel Okafor', email: 'teacher3@demo.example', about: 'teacher of 11X5 to 11X12' },
  teacher4: { name: 'Megan Price', email: 'teacher4@demo.example', about: 'teacher of 11Y3 to 11Y8' },
  teacher5: { name: 'Samir Haddad', email: 'teacher5@demo.example', about: 'teacher of 11Y9 to 11Y14' },
  auditor: { name: 'Nadia Rahman', email: 'auditor@demo.example', about: 'auditor: reads everything, also how it came about' },
  student1: { name: 'Sophie Edwards', email: 'student1@demo.example', about: 'student of 11X1' },
  student2: { name: 'Joseph Kowalski', email: 'student2@demo.example', about: 'student of 11X1' },
} as const satisfies Readonly<Record<string, Person>>;

/** The teachers of Mathematics; a school without a past has only the first three. */
export const teaching = ['leader', 'teacher1', 'teacher2', 'teacher3', 'teacher4', 'teacher5'] as const;
export type Teaching = (typeof teaching)[number];

export const demoWelcome: readonly string[] = [
  `  A demo school with two school years and 729 students is ready. The password of every log-in is ${PASSWORD}`,
  ...Object.values(people).map(({ email, about }) => `  ${email.padEnd(24)}${about}`),
  `  ${'m0003@demo.example'.padEnd(24)}and so on to m0016: students of 11X1 who have entered their own marks`,
  '  Try it: log in as the subject leader and upload run/demo/mathexam/results_upload.csv',
];

const login = ({ name, email }: Pick<Person, 'name' | 'email'>) => ({ name, email, password: PASSWORD });

export const openAdmin = async (builder: Builder): Promise<Actor> => {
  const { accountId = '' } = await builder.done(systemActor(SCHOOL), 'admin', 'OpenStaffAccount', {
    ...login(people.admin),
    role: 'admin',
  });
  return { ...systemActor(SCHOOL), ...people.admin, accountId, role: 'admin' };
};

/** An account for the auditor, who is no teacher. */
export const openAuditor = async (builder: Builder, admin: Actor): Promise<void> => {
  await builder.done(admin, 'auditor', 'OpenStaffAccount', { ...login(people.auditor), role: 'auditor', teachers: [] });
};

export type Taught = { readonly subjectId: string; readonly teacherId: string };

/** A staff account with its teacher records. The sets come with the school year. */
export const openStaff = async (builder: Builder, admin: Actor, who: Teaching, teachers: readonly Taught[]): Promise<Actor> => {
  const role = who === 'leader' ? 'leader' : 'teacher';
  const { name, email } = people[who];
  const { accountId = '' } = await builder.done(admin, who, 'OpenStaffAccount', { ...login(people[who]), role, teachers });
  return { ...systemActor(SCHOOL), name, email, accountId, role, subjectIds: teachers.map(({ subjectId }) => subjectId) };
};

/** An account for a student: one of `people`, or another with a name and an address of their own. */
export const openStudent = async (
  { done }: Builder,
  act: string,
  person: Pick<Person, 'name' | 'email'>,
  studentId: string,
): Promise<Actor> => {
  const { accountId = '' } = await done(systemActor(SCHOOL), act, 'OpenStudentAccount', { ...login(person), studentId });
  return { ...systemActor(SCHOOL), name: person.name, email: person.email, accountId, role: 'student', studentId };
};

export const studentAct = (who: 'student1' | 'student2'): string => who.replace('student', 'student ');
