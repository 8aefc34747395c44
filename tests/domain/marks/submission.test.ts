import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyCommand } from '../../../api/common/command.ts';
import { ReopenFeedback, SaveFeedback, SubmitFeedback } from '../../../api/marks/submissions/submission.commands.ts';
import type { SubmissionFacts } from '../../../api/marks/submissions/submission.facts.ts';
import { submission } from '../../../events/marks/submission.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, deciding, given, id } from '../../support/decider.ts';

const testId = id('mock');
const [Q1, Q2] = [id('Q1'), id('Q2')];
const subjectId = id('maths');
const student = actor('student', { studentId: id('Ann') });
const teacher = actor('teacher', { subjectIds: [subjectId], setIds: [id('11A')] });
const known = (more: Partial<NonNullable<SubmissionFacts>> = {}): SubmissionFacts => ({
  subjectId,
  setId: id('11A'),
  shown: true,
  questions: [
    { questionId: Q1, number: 1, max: 5 },
    { questionId: Q2, number: 2, max: 10 },
  ],
  attendance: 'sat',
  staffMarks: 0,
  staffTotal: null,
  confirmedTotal: null,
  addedSince: 0,
  ...more,
});
const marks = (...of: readonly number[]) => of.map((mark, index) => ({ questionId: [Q1, Q2][index], mark }));
const ownMarks = (...of: readonly number[]) =>
  of.map((mark, index) => ({ questionId: [Q1, Q2][index] ?? '', mark, max: [5, 10][index] ?? 0 }));
const saved = (...of: readonly number[]): Happened => ({ type: 'SubmissionSaved', data: { subjectId, ownMarks: ownMarks(...of) } });
const confirmed = (...of: readonly number[]): Happened => ({ type: 'SubmissionConfirmed', data: { subjectId, ownMarks: ownMarks(...of) } });
const stateOf = (happened: readonly Happened[]) =>
  happened.reduce((state, one) => submission.evolve(state, one as never), submission.initial());
const reopened: Happened = { type: 'SubmissionReopened', data: { subjectId, total: 3 } };

const saveFeedback = deciding(SaveFeedback, { testId }, known(), student);
const submitFeedback = deciding(SubmitFeedback, { testId }, known(), student);
const reopenFeedback = deciding(ReopenFeedback, { testId }, known(), student);

test('marks are kept as far as they are entered, and the same ones once', () => {
  saveFeedback([], { marks: marks(3) }).then([saved(3)]);
  saveFeedback([saved(3)], { marks: marks(3) }).nothing();
  saveFeedback([saved(3)], { marks: [{ questionId: Q1, mark: null }] }).then([saved()]);
  saveFeedback([], { marks: [] }).nothing();
});

test('what is kept on one device leaves alone what was kept on another', () => {
  saveFeedback([saved(3)], { marks: [{ questionId: Q2, mark: 7 }] }).then([saved(3, 7)]);
  saveFeedback([saved(3, 7)], { marks: [{ questionId: Q1, mark: 4 }] }).then([saved(4, 7)]);
  saveFeedback([confirmed(3, 7), reopened], { marks: [{ questionId: Q1, mark: 4 }] }).then([saved(4, 7)]);
});

test('the mark of a question that is gone is kept, and is not submitted; one above a maximum that was lowered waits for the student', () => {
  const lowered = known({ questions: [{ questionId: Q2, number: 1, max: 6 }] });
  const kept = { questionId: Q1, mark: 3, max: 3 };
  saveFeedback([saved(3, 7)], { marks: [{ questionId: Q2, mark: 5 }] }, lowered).then([
    { type: 'SubmissionSaved', data: { subjectId, ownMarks: [{ questionId: Q2, mark: 5, max: 6 }, kept] } },
  ]);
  saveFeedback([saved(3, 7)], { marks: [{ questionId: Q1, mark: 2 }] }, lowered).refused('There is no such question in this assessment.');
  // It is submitted without, and once more if the device did not hear the answer.
  const others = [{ questionId: Q2, mark: 6 }];
  const without: Happened = { type: 'SubmissionConfirmed', data: { subjectId, ownMarks: [{ questionId: Q2, mark: 6, max: 6 }] } };
  submitFeedback([saved(3, 7)], { marks: others }, lowered).then([without]);
  submitFeedback([saved(3, 7), without], { marks: others }, lowered).nothing();
  const both = known({
    questions: [
      { questionId: Q1, number: 1, max: 2 },
      { questionId: Q2, number: 2, max: 10 },
    ],
  });
  saveFeedback([saved(3, 7)], { marks: [{ questionId: Q2, mark: 8 }] }, both).then([
    {
      type: 'SubmissionSaved',
      data: {
        subjectId,
        ownMarks: [
          { questionId: Q1, mark: 3, max: 3 },
          { questionId: Q2, mark: 8, max: 10 },
        ],
      },
    },
  ]);
  submitFeedback([saved(3, 7)], { marks: marks(3, 8) }, both).refused('Max mark available is 2', `marks.${Q1}`);
});

/** `submit`: each question on the paper gets this mark. */
type Step =
  | { readonly do: 'save'; readonly marks: Readonly<Record<string, number | null>> }
  | { readonly do: 'submit'; readonly mark: number }
  | { readonly do: 'reopen' }
  | { readonly do: 'hide'; readonly question: string }
  | { readonly do: 'restore'; readonly question: string };
const question = fc.constantFrom('Q1', 'Q2', 'Q3');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('save' as const), marks: fc.dictionary(question, fc.option(fc.nat(2)), { minKeys: 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('submit' as const), mark: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('hide' as const), question }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('restore' as const), question }) },
);

test('whichever questions go and come back meanwhile, each has the mark that was entered for it last, and what is confirmed is the paper', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const happened: Happened[] = [];
      const paper = new Set(['Q1', 'Q2', 'Q3']);
      const entered = new Map<string, number>();
      let isOpen = true;
      for (const one of steps) {
        const questions = [...paper].map((name, at) => ({ questionId: id(name), number: at + 1, max: 2 }));
        const decide = (command: AnyCommand, input: object) =>
          happened.push(
            ...given(happened)
              .when(command, { testId, ...input }, known({ questions, staffTotal: 99, confirmedTotal: 0 }), student)
              .events(),
          );
        if (one.do === 'hide') paper.delete(one.question);
        else if (one.do === 'restore') paper.add(one.question);
        else if (one.do === 'reopen') {
          decide(ReopenFeedback, {});
          isOpen = true;
        } else if (isOpen && paper.size > 0) {
          const all = one.do === 'submit' ? [...paper].map((name) => [name, one.mark] as const) : Object.entries(one.marks);
          const asked = all.filter(([name]) => paper.has(name));
          const marksAsked = asked.map(([name, mark]) => ({ questionId: id(name), mark }));
          decide(one.do === 'submit' ? SubmitFeedback : SaveFeedback, { marks: marksAsked });
          for (const [name, mark] of asked) {
            if (mark === null) entered.delete(name);
            else entered.set(name, mark);
          }
          isOpen = one.do !== 'submit';
          if (!isOpen) expect(stateOf(happened).confirmed).toEqual(new Map(asked.map(([name, mark]) => [id(name), mark])));
        }
        expect(stateOf(happened).marks).toEqual(new Map([...entered].map(([name, mark]) => [id(name), mark])));
      }
    }),
    { numRuns: 500 },
  );
});

test('a submission is confirmed once, with a mark for every question within its maximum', () => {
  submitFeedback([saved(3)], { marks: marks(3, 0) }).then([confirmed(3, 0)]);
  // Sent again by a device that did not hear the answer.
  submitFeedback([confirmed(3, 0)], { marks: marks(3, 0) }).nothing();
  submitFeedback([confirmed(3, 0)], { marks: marks(4, 0) }).refused('You have submitted your marks already.');
  saveFeedback([confirmed(3, 0)], { marks: marks(4) }).refused('You have submitted your marks already.');
  submitFeedback([], { marks: marks(3) }).refused('Enter a mark for every question.', `marks.${Q2}`);
  submitFeedback([], { marks: marks(3, 11) }).refused('Max mark available is 10', `marks.${Q2}`);
  saveFeedback([], { marks: [{ questionId: id('Q9'), mark: 1 }] }).refused('There is no such question in this assessment.');
  saveFeedback([], { marks: [...marks(3), ...marks(4)] }).refused('This question has two marks.');
  submitFeedback([], { marks: marks(-1, 0) }).invalid('Too small: expected number to be >=0');
  submitFeedback([], { marks: marks(1.5, 0) }).invalid('Invalid input: expected int, received number');
});

test.each([
  ['a hidden assessment, or none of their class', { shown: false }, 'This assessment is not open to you: your teacher may have closed it.'],
  ['who was absent', { attendance: 'absent' }, 'You are marked as absent for this assessment.'],
  ['who is exempt', { attendance: 'exempt' }, 'You are marked as exempt from this assessment.'],
  ['where staff have marked everything', { staffMarks: 2 }, 'Your teacher has entered the marks of every question.'],
] as const)('it is closed: %s', (_whom, more, sentence) => {
  for (const command of [SaveFeedback, SubmitFeedback])
    for (const before of [[], [saved(3, 4)], [confirmed(3, 4), reopened]])
      given(before)
        .when(command, { testId, marks: marks(1, 1) }, known(more), student)
        .refused(sentence);
});

test('before any staff total, and while staff have marked some questions only, it is open', () => {
  submitFeedback([], { marks: marks(1, 1) }, known({ staffMarks: 1 })).then([confirmed(1, 1)]);
  submitFeedback([], { marks: marks(1, 1) }, known({ staffTotal: 9 })).then([confirmed(1, 1)]);
});

test('the student reopens it while their total is not that of staff, then confirms once more', () => {
  const differs = known({ staffTotal: 9, confirmedTotal: 3 });
  reopenFeedback([confirmed(3, 0)], {}, differs).then([reopened]);
  reopenFeedback([confirmed(3, 0)], {}, known({ staffTotal: 3, confirmedTotal: 3 })).refused(/^You can change your marks again if/);
  reopenFeedback([confirmed(3, 0)], {}, known({ confirmedTotal: 3 })).refused(/^You can change your marks again if/);
  reopenFeedback([confirmed(3, 0), reopened], {}, differs).nothing();
  reopenFeedback([]).nothing();
  submitFeedback([confirmed(3, 0), reopened], { marks: marks(3, 6) }, differs).then([confirmed(3, 6)]);
  // Also with the same marks: the teacher was mistaken.
  submitFeedback([confirmed(3, 0), reopened], { marks: marks(3, 0) }, differs).then([confirmed(3, 0)]);
  reopenFeedback([confirmed(3, 0)], {}, known({ staffTotal: 9, confirmedTotal: 3, staffMarks: 2 })).refused(
    'Your teacher has entered the marks of every question.',
  );
});

test('staff of the class reopen it, whatever its total', () => {
  const asked = { testId, studentId: id('Ann') };
  reopenFeedback([confirmed(3, 0)], asked, known({ confirmedTotal: 3 }), teacher).then([reopened]);
  reopenFeedback([confirmed(3, 0)], asked, known({ setId: id('11B') }), teacher).refused('You may not enter marks for this class.');
  reopenFeedback([confirmed(3, 0)], asked, known({ subjectId: id('science') }), teacher).refused('There is no such submission.');
  reopenFeedback([confirmed(3, 0)], asked, known({ attendance: 'absent' }), teacher).refused('This student is marked as absent.');
  reopenFeedback([confirmed(3, 0)], {}, known(), teacher).refused('Choose a student.', 'studentId');
  reopenFeedback([confirmed(3, 0)], asked).refused('Students open their own marks only: leave out whose.');
  expect(
    given([confirmed(3, 0)])
      .when(ReopenFeedback, asked, undefined, teacher)
      .refusal().code,
  ).toBe('not-found');
});

test('a student who has confirmed opens their marks again for a question that was added since', () => {
  const two = [confirmed(3, 7)];
  reopenFeedback(two, {}, known({ addedSince: 1, confirmedTotal: 3 })).then([reopened]);
  reopenFeedback(two, { studentId: id('Ann') }, known({ addedSince: 1, confirmedTotal: 3 }), teacher).then([reopened]);
  reopenFeedback(two).refused(/if a question was added, or if your teacher lets you/);
  reopenFeedback(two, {}, known({ addedSince: 1, attendance: 'absent' })).refused('You are marked as absent for this assessment.');
});
