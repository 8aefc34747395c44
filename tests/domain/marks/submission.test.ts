import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyCommand } from '../../../api/common/command.ts';
import { ReopenFeedback, SaveFeedback, SubmitFeedback } from '../../../api/marks/submissions/submission.commands.ts';
import type { SubmissionFacts } from '../../../api/marks/submissions/submission.facts.ts';
import { submission } from '../../../events/marks/submission.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, given, id } from '../../support/decider.ts';

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
const reopened: Happened = { type: 'SubmissionReopened', data: { subjectId } };

test('marks are kept as far as they are entered, and the same ones once', () => {
  given([])
    .when(SaveFeedback, { testId, marks: marks(3) }, known(), student)
    .then([saved(3)]);
  given([saved(3)])
    .when(SaveFeedback, { testId, marks: marks(3) }, known(), student)
    .nothing();
  given([saved(3)])
    .when(SaveFeedback, { testId, marks: [{ questionId: Q1, mark: null }] }, known(), student)
    .then([saved()]);
  given([]).when(SaveFeedback, { testId, marks: [] }, known(), student).nothing();
});

test('what is kept on one device leaves alone what was kept on another', () => {
  given([saved(3)])
    .when(SaveFeedback, { testId, marks: [{ questionId: Q2, mark: 7 }] }, known(), student)
    .then([saved(3, 7)]);
  given([saved(3, 7)])
    .when(SaveFeedback, { testId, marks: [{ questionId: Q1, mark: 4 }] }, known(), student)
    .then([saved(4, 7)]);
  given([confirmed(3, 7), reopened])
    .when(SaveFeedback, { testId, marks: [{ questionId: Q1, mark: 4 }] }, known(), student)
    .then([saved(4, 7)]);
});

test('the mark of a question that is gone is kept, and is not submitted; one above a maximum that was lowered waits for the student', () => {
  const lowered = known({ questions: [{ questionId: Q2, number: 1, max: 6 }] });
  const kept = { questionId: Q1, mark: 3, max: 3 };
  given([saved(3, 7)])
    .when(SaveFeedback, { testId, marks: [{ questionId: Q2, mark: 5 }] }, lowered, student)
    .then([{ type: 'SubmissionSaved', data: { subjectId, ownMarks: [{ questionId: Q2, mark: 5, max: 6 }, kept] } }]);
  given([saved(3, 7)])
    .when(SaveFeedback, { testId, marks: [{ questionId: Q1, mark: 2 }] }, lowered, student)
    .refused('There is no such question in this assessment.');
  // It is submitted without, and once more if the device did not hear the answer.
  const others = [{ questionId: Q2, mark: 6 }];
  const without: Happened = { type: 'SubmissionConfirmed', data: { subjectId, ownMarks: [{ questionId: Q2, mark: 6, max: 6 }] } };
  given([saved(3, 7)])
    .when(SubmitFeedback, { testId, marks: others }, lowered, student)
    .then([without]);
  given([saved(3, 7), without])
    .when(SubmitFeedback, { testId, marks: others }, lowered, student)
    .nothing();
  const both = known({
    questions: [
      { questionId: Q1, number: 1, max: 2 },
      { questionId: Q2, number: 2, max: 10 },
    ],
  });
  given([saved(3, 7)])
    .when(SaveFeedback, { testId, marks: [{ questionId: Q2, mark: 8 }] }, both, student)
    .then([
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
  given([saved(3, 7)])
    .when(SubmitFeedback, { testId, marks: marks(3, 8) }, both, student)
    .refused('Max mark available is 2', `marks.${Q1}`);
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
  given([saved(3)])
    .when(SubmitFeedback, { testId, marks: marks(3, 0) }, known(), student)
    .then([confirmed(3, 0)]);
  // Sent again by a device that did not hear the answer.
  given([confirmed(3, 0)])
    .when(SubmitFeedback, { testId, marks: marks(3, 0) }, known(), student)
    .nothing();
  given([confirmed(3, 0)])
    .when(SubmitFeedback, { testId, marks: marks(4, 0) }, known(), student)
    .refused('You have submitted your marks already.');
  given([confirmed(3, 0)])
    .when(SaveFeedback, { testId, marks: marks(4) }, known(), student)
    .refused('You have submitted your marks already.');
  given([])
    .when(SubmitFeedback, { testId, marks: marks(3) }, known(), student)
    .refused('Enter a mark for every question.', `marks.${Q2}`);
  given([])
    .when(SubmitFeedback, { testId, marks: marks(3, 11) }, known(), student)
    .refused('Max mark available is 10', `marks.${Q2}`);
  given([])
    .when(SaveFeedback, { testId, marks: [{ questionId: id('Q9'), mark: 1 }] }, known(), student)
    .refused('There is no such question in this assessment.');
  given([])
    .when(SaveFeedback, { testId, marks: [...marks(3), ...marks(4)] }, known(), student)
    .refused('This question has two marks.');
  given([])
    .when(SubmitFeedback, { testId, marks: marks(-1, 0) }, known(), student)
    .invalid('Too small: expected number to be >=0');
  given([])
    .when(SubmitFeedback, { testId, marks: marks(1.5, 0) }, known(), student)
    .invalid('Invalid input: expected int, received number');
});

test.each([
  ['a hidden assessment, or none of their class', { shown: false }, 'There is no such assessment.'],
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
  given([])
    .when(SubmitFeedback, { testId, marks: marks(1, 1) }, known({ staffMarks: 1 }), student)
    .then([confirmed(1, 1)]);
  given([])
    .when(SubmitFeedback, { testId, marks: marks(1, 1) }, known({ staffTotal: 9 }), student)
    .then([confirmed(1, 1)]);
});

test('the student reopens it while their total is not that of staff, then confirms once more', () => {
  const differs = known({ staffTotal: 9, confirmedTotal: 3 });
  given([confirmed(3, 0)])
    .when(ReopenFeedback, { testId }, differs, student)
    .then([reopened]);
  given([confirmed(3, 0)])
    .when(ReopenFeedback, { testId }, known({ staffTotal: 3, confirmedTotal: 3 }), student)
    .refused(/^You can change your marks again if/);
  given([confirmed(3, 0)])
    .when(ReopenFeedback, { testId }, known({ confirmedTotal: 3 }), student)
    .refused(/^You can change your marks again if/);
  given([confirmed(3, 0), reopened])
    .when(ReopenFeedback, { testId }, differs, student)
    .nothing();
  given([]).when(ReopenFeedback, { testId }, known(), student).nothing();
  given([confirmed(3, 0), reopened])
    .when(SubmitFeedback, { testId, marks: marks(3, 6) }, differs, student)
    .then([confirmed(3, 6)]);
  // Also with the same marks: the teacher was mistaken.
  given([confirmed(3, 0), reopened])
    .when(SubmitFeedback, { testId, marks: marks(3, 0) }, differs, student)
    .then([confirmed(3, 0)]);
  given([confirmed(3, 0)])
    .when(ReopenFeedback, { testId }, known({ staffTotal: 9, confirmedTotal: 3, staffMarks: 2 }), student)
    .refused('Your teacher has entered the marks of every question.');
});

test('staff of the class reopen it, whatever its total', () => {
  const asked = { testId, studentId: id('Ann') };
  given([confirmed(3, 0)])
    .when(ReopenFeedback, asked, known({ confirmedTotal: 3 }), teacher)
    .then([reopened]);
  given([confirmed(3, 0)])
    .when(ReopenFeedback, asked, known({ setId: id('11B') }), teacher)
    .refused('You may not enter marks for this class.');
  given([confirmed(3, 0)])
    .when(ReopenFeedback, asked, known({ subjectId: id('science') }), teacher)
    .refused('There is no such submission.');
  given([confirmed(3, 0)])
    .when(ReopenFeedback, asked, known({ attendance: 'absent' }), teacher)
    .refused('This student is marked as absent.');
  given([confirmed(3, 0)])
    .when(ReopenFeedback, { testId }, known(), teacher)
    .refused('Choose a student.', 'studentId');
  given([confirmed(3, 0)])
    .when(ReopenFeedback, asked, known(), student)
    .refused('Students open their own marks only: leave out whose.');
  expect(
    given([confirmed(3, 0)])
      .when(ReopenFeedback, asked, undefined, teacher)
      .refusal().code,
  ).toBe('not-found');
});

test('a student who has confirmed opens their marks again for a question that was added since', () => {
  const two = [confirmed(3, 7)];
  given(two)
    .when(ReopenFeedback, { testId }, known({ addedSince: 1 }), student)
    .then([reopened]);
  given(two)
    .when(ReopenFeedback, { testId, studentId: id('Ann') }, known({ addedSince: 1 }), teacher)
    .then([reopened]);
  given(two)
    .when(ReopenFeedback, { testId }, known(), student)
    .refused(/if a question was added, or if your teacher lets you/);
  given(two)
    .when(ReopenFeedback, { testId }, known({ addedSince: 1, attendance: 'absent' }), student)
    .refused('You are marked as absent for this assessment.');
});
