import { expect, test } from 'vitest';
import { actOf, undoneNotice } from '../../../admin-ui/students/undone.ts';

const student = (name: string) => ({
  id: name,
  version: '1',
  studentId: name,
  subjectId: 'maths',
  admissionNo: '1',
  name,
  dateOfBirth: null,
  setId: '11A',
  set: '11A',
});
const details = { admissionNo: '1', name: 'Lee, Anna', dateOfBirth: null };

test('a notice names its act', () => {
  const before = () => student('Lee, Ann');
  expect(actOf([{ studentId: 'a', details }], before)).toBe('Lee, Anna: name changed');
  expect(actOf([{ studentId: 'a', details: { ...details, admissionNo: '2' }, place: 'off-roll' }], before)).toBe(
    'Lee, Anna: Student ID and name changed and taken off roll',
  );
  expect(actOf([{ studentId: 'a', place: { setId: '11B' } }], before)).toBe('Lee, Ann: moved');
  const two = [
    { studentId: 'a', place: 'off-roll' },
    { studentId: 'b', place: 'off-roll' },
  ] as const;
  expect(actOf(two, before)).toBe('2 students: taken off roll');
  expect(actOf([...two, { studentId: 'c', place: 'removed' }], before)).toBe('3 students: taken off roll (2) and deleted (1)');
});

test('an undo says what it did, and what is in its way', () => {
  const did = { students: 1, stays: [], already: false };
  expect(undoneNotice('Lee, Anna: name changed', did)).toBe('Undone: Lee, Anna: name changed.');
  expect(undoneNotice('Lee, Anna: name changed', { ...did, already: true })).toBe('This was undone already: Lee, Anna: name changed.');
  expect(undoneNotice('2 students: moved', { ...did, stays: ['Ben stays.'] })).toBe('Undone: 2 students: moved. Ben stays.');
  expect(undoneNotice('2 students: moved', undefined)).toBeUndefined();
});
