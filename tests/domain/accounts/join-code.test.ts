import { test } from 'vitest';
import { ChangeJoinDomain, IssueJoinCode } from '../../../api/accounts/join-code.commands.ts';
import { deciding, id } from '../../support/decider.ts';

const subjectId = id('maths');
const issued = (codeTag: string) => ({ type: 'JoinCodeIssued', data: { subjectId, codeTag } }) as const;
const domain = (text: string | null) => ({ type: 'JoinDomainChanged', data: { subjectId, domain: text } }) as const;

const issueJoinCode = deciding(IssueJoinCode, { subjectId });
const changeJoinDomain = deciding(ChangeJoinDomain, { subjectId });

test('a joining code is of a subject that there is; the same one again is no news', () => {
  issueJoinCode([], { codeTag: 'one' }).then([issued('one')]);
  issueJoinCode([issued('one')], { codeTag: 'two' }).then([issued('two')]);
  issueJoinCode([issued('one')], { codeTag: 'one' }).nothing();
});

test('the domain of the addresses is plain, and may be taken away', () => {
  changeJoinDomain([], { domain: ' @Students.School.example ' }).then([domain('students.school.example')]);
  changeJoinDomain([domain('school.example')], { domain: 'SCHOOL.example' }).nothing();
  changeJoinDomain([domain('school.example')], { domain: '' }).then([domain(null)]);
  changeJoinDomain([], { domain: null }).nothing();
  for (const wrong of ['school', 'a b.example', 'school..example', '-x.example', 'x.example/', 'me@school.example'])
    changeJoinDomain([], { domain: wrong }).invalid('Invalid domain.');
});
