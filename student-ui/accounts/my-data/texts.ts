import type { MyData } from '#api/accounts/my-data.contract';
import { dateText } from '#api/contract/dates';
import { flagsShort } from '#api/contract/flags';
import type { DataPart } from '../../../ui/reports/my-data.ts';
import { resultTexts } from '../../analysis/result-texts.ts';

type Subject = MyData['subjects'][number];
type Test = Subject['tests'][number];
type Change = Test['changes'][number];

/** The same as on the page, as lines. */
export const partsOf = ({ name, admissionNo, dateOfBirth, accounts, subjects, looks }: MyData): readonly DataPart[] => [
  {
    title: 'You',
    lines: [
      ['Name', name ?? 'not known'],
      ['StudentID', admissionNo ?? 'not known'],
      ['Date of birth', dateOfBirth === null ? 'not known' : dateText(dateOfBirth)],
      ...accounts.map(({ email, since }) => [`Log-in ${email ?? 'without an e-mail address'}`, `since ${timeOf(since)}`] as const),
    ],
  },
  ...subjects.flatMap((subject) => [ofSubject(subject), ...subject.tests.map((test) => ofTest(subject.name, test))]),
  { title: 'Who looked at your pages', lines: looks.map(({ at, role }) => [`A member of staff, ${role}`, timeOf(at)]) },
];

const ofSubject = ({ name, memberships, priors, results }: Subject): DataPart => ({
  title: name,
  lines: [
    ...memberships.map(({ set, from }) => [set ?? 'In no class', `since ${timeOf(from)}`] as const),
    ...priors.map(({ exam, score, yearCompleted }) => [`${exam}: ${score}`, yearCompleted === null ? '' : String(yearCompleted)] as const),
    ...results.map((result) => [result.tests.join(', '), resultTexts(result).join(', ')] as const),
  ],
});

const ofTest = (subject: string, { name, total, flags, max, attendance, questions, changes, submissions }: Test): DataPart => ({
  title: `${subject}: ${name}`,
  lines: [
    [attendance === 'sat' ? (total === null ? 'No total' : `Total ${total} of ${max}`) : `Marked as ${attendance}`, flagsShort(flags)],
    ...questions.map(
      ({ number, topic, max: most, mark, flags: open, own: ownMark }) =>
        [
          `Question ${number}, ${topic}`,
          `of ${most}: teacher ${mark ?? 'nothing'}${open ? `, ${flagsShort(open)}` : ''}, you ${ownMark ?? 'nothing'}`,
        ] as const,
    ),
    ...submissions.map(({ at, total: submitted }) => [`You submitted ${submitted}`, timeOf(at)] as const),
    ...changes.map((change) => [changeText(change), change.at === null ? '' : timeOf(change.at)] as const),
  ],
});

/** An instant as 21/11/2026, 09:30, where the reader is. */
export const timeOf = (at: string): string =>
  new Date(at).toLocaleString('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' });

const HOW = { upload: 'uploaded', typed: 'typed', decided: 'decided' } as const;

/** 'Question 3: 4, typed by a teacher' */
export const changeText = ({ what, number, value, how, role, undone }: Change): string => {
  const about =
    what === 'total' ? 'Total' : what === 'attendance' ? 'Attendance' : number === null ? 'A question that is gone' : `Question ${number}`;
  return `${about}: ${value}, ${HOW[how]} by ${role === null ? 'a member of staff' : `staff (${role})`}${undone ? ', undone since' : ''}`;
};
