import { expect, test } from 'vitest';
import { People } from '../../../api/students/identity.formula.ts';

const students = [
  ['00101', 'Adler, Stéphane'],
  ['00102', 'Brandt, Agnès'],
  ['00103', "O'Connor, Aoife"],
  ['00105', 'Lin, Ethan'],
  ['00106', 'Lin, Ethan'],
  ['1234567890123456', 'Vale, Tom'],
  ['1E5', 'Warner, Ida'],
  ['3-4', 'Young, Kit'],
  ['MAR1', 'Ferreira, Ana Sofia'],
].map(([admissionNo = '', name = '']) => ({ admissionNo, name }));
const people = new People(students);
const meant = (id: string, name = '') => {
  const match = people.match({ id, name });
  return [
    match.kind,
    ...('student' in match ? [match.student.admissionNo] : 'students' in match ? match.students.map((one) => one.admissionNo) : []),
  ].join(' ');
};

test.each([
  ['00101', '', 'certain 00101'],
  [' 00101 ', 'Adler, Stephane', 'certain 00101'],
  ['101', 'Adler, Stéphane', 'certain 00101'],
  ['101', '', 'likely 00101'],
  ["'00101", '', 'likely 00101'],
  ['="00101"', '', 'likely 00101'],
  ['101.0', 'ADLER Stéphane', 'certain 00101'],
  ['OO101', 'Adler, Stéphane', 'certain 00101'],
  ['OOlOl', '', 'likely 00101'],
  ['00101\u200b', '', 'likely 00101'],
  ['1.23457E+15', 'Vale, Tom', 'certain 1234567890123456'],
  ['1.00E+05', 'Warner, Ida', 'certain 1E5'],
  ['03-Apr', 'Young, Kit', 'certain 3-4'],
  ['4-Mar', '', 'likely 3-4'],
  ['03/04/2026', '', 'likely 3-4'],
  ['2026-04-03', '', 'likely 3-4'],
  ['01-Mar', '', 'likely MAR1'],
  ['101', 'Brandt, Agnès', 'several 00101 00102'],
  ['00101', 'Brandt, Agnès', 'several 00101 00102'],
  ['00101', 'Nobody, Nina', 'likely 00101'],
  ['', 'Aoife O’Connor', 'certain 00103'],
  ['', 'OCONNOR aoife', 'certain 00103'],
  ['', 'Lin, Ethan', 'several 00105 00106'],
  ['106', 'Lin, Ethan', 'certain 00106'],
  ['X77', 'Adler, Stéphane', 'likely 00101'],
  ['', 'Ferreira, Ana', 'likely MAR1'],
  ['', 'S. Adler', 'likely 00101'],
  ['', 'Ethan', 'nobody'],
  ['', 'Nobody, Nina', 'nobody'],
  ['X77', '', 'nobody'],
  ['', '', 'nobody'],
])('%j %j is %s', (id, name, match) => expect(meant(id, name)).toBe(match));
