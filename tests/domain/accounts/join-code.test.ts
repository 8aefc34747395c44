import { test } from 'vitest';
import { ChangeJoinDomain, IssueJoinCode } from '../../../api/accounts/join-code.commands.ts';
import { given, id } from '../../support/decider.ts';

const subjectId = id('maths');
const known = [{ subjectId, name: 'Mathematics' }];
const issued = (codeTag: string) => ({ type: 'JoinCodeIssued', data: { subjectId, codeTag } }) as const;
const domain = (text: string | null) => ({ type: 'JoinDomainChanged', data: { subjectId, domain: text } }) as const;

test('a joining code is of a subject that there is; the same one again is no news', () => {
  given([])
    .when(IssueJoinCode, { subjectId, codeTag: 'one' }, known)
    .then([issued('one')]);
  given([issued('one')])
    .when(IssueJoinCode, { subjectId, codeTag: 'two' }, known)
    .then([issued('two')]);
  given([issued('one')])
    .when(IssueJoinCode, { subjectId, codeTag: 'one' }, known)
    .nothing();
  given([]).when(IssueJoinCode, { subjectId, codeTag: 'one' }, []).refused('There is no such subject.');
});

test('the domain of the addresses is plain, and may be taken away', () => {
  given([])
    .when(ChangeJoinDomain, { subjectId, domain: ' @Students.School.example ' }, known)
    .then([domain('students.school.example')]);
  given([domain('school.example')])
    .when(ChangeJoinDomain, { subjectId, domain: 'SCHOOL.example' }, known)
    .nothing();
  given([domain('school.example')])
    .when(ChangeJoinDomain, { subjectId, domain: '' }, known)
    .then([domain(null)]);
  given([]).when(ChangeJoinDomain, { subjectId, domain: null }, known).nothing();
  for (const wrong of ['school', 'a b.example', 'school..example', '-x.example', 'x.example/', 'me@school.example'])
    given([]).when(ChangeJoinDomain, { subjectId, domain: wrong }, known).invalid('Invalid domain.');
});
