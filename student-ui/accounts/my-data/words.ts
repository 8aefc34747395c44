import type { MyData } from '#api/accounts/my-data.contract';

type Subject = MyData['subjects'][number];
type Change = Subject['tests'][number]['changes'][number];

/** 2026-11-21 as 21/11/2026 */
export const dayOf = (day: string): string => day.split('-').toReversed().join('/');

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
