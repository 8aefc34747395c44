import { expect, test } from 'vitest';
import { personalList } from '../../../api/revision-lists/revision-list.contract.ts';
import {
  AddRevisionHeader,
  ClearRevisionList,
  DeleteRevisionHeader,
  OrderRevisionHeaders,
  RenameRevisionHeader,
  RestoreRevisionHeader,
  SaveRevisionList,
} from '../../../api/revision-lists/revision-lists.commands.ts';
import { RedoRevisionChange, UndoRevisionChange } from '../../../api/revision-lists/undo.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, deciding, given, id, made } from '../../support/decider.ts';

const subjectId = id('maths');
const testId = id('mock');
const [algebra, number, other] = [id('algebra'), id('number'), id('other')];
const [q1, q2, gone] = [id('q1'), id('q2'), id('gone')];
const known = {
  test: true,
  questions: [
    { questionId: q1, number: 1, hidden: false },
    { questionId: q2, number: 2, hidden: false },
    { questionId: gone, number: 3, hidden: true },
  ],
};
const added = (headerId: string, name: string): Happened => ({ type: 'RevisionHeaderAdded', data: { headerId, name } });
const headers = [added(algebra, 'Algebra'), added(number, 'Number')];
type Under = { questionId: string; headerId: string | null; text: string | null };
const under = (questionId: string, headerId: string | null, text: string | null = null): Under => ({ questionId, headerId, text });
const saved = (questions: Under[], commandId = id('save')): Happened => ({
  type: 'RevisionListSaved',
  data: { testId, questions },
  commandId,
});
const save = (questions: object[]) => ({ subjectId, testId, questions });

const addRevisionHeader = deciding(AddRevisionHeader, { subjectId });
const saveRevisionList = deciding(SaveRevisionList, {}, known);
const clearRevisionList = deciding(ClearRevisionList, { subjectId, testId }, known);
const deleteRevisionHeader = deciding(DeleteRevisionHeader, { subjectId, headerId: algebra });
const restoreRevisionHeader = deciding(RestoreRevisionHeader, { subjectId, headerId: algebra });
const orderRevisionHeaders = deciding(OrderRevisionHeaders, { subjectId });
const undoRevisionChange = deciding(UndoRevisionChange, { subjectId });

test('a header is added with a name; an empty one is Required, a double one is allowed', () => {
  addRevisionHeader([], { name: ' Algebra ' }).then([{ type: 'RevisionHeaderAdded', data: { headerId: made('header'), name: 'Algebra' } }]);
  addRevisionHeader([], { name: '  ' }).invalid('Required');
  expect(addRevisionHeader(headers, { name: 'algebra' }).events()).toHaveLength(1);
});

test('Save stores what changed: the header of each question, and its text; an empty text is none', () => {
  saveRevisionList([...headers, saved([under(q1, algebra)])], save([under(q1, algebra), { ...under(q2, number), text: ' ' }])).then([
    { type: 'RevisionListSaved', data: { testId, questions: [under(q2, number)] } },
  ]);
  saveRevisionList([...headers, saved([under(q1, algebra)])], save([under(q1, algebra)])).nothing();
  // A text goes with its header.
  saveRevisionList([...headers, saved([under(q1, algebra, 'Surds')])], save([under(q1, null, 'Surds'), under(q2, null, 'Roots')])).then([
    { type: 'RevisionListSaved', data: { testId, questions: [under(q1, null)] } },
  ]);
});

test('Save refuses what is not there, and a question twice', () => {
  const when = (questions: object[], facts: object = known) => saveRevisionList(headers, save(questions), facts);
  when([under(q1, other)]).refused('This topic header was deleted meanwhile.', 'questions.0.headerId');
  when([under(id('q9'), algebra)]).refused('This question is no longer on its assessment.', 'questions.0.questionId');
  when([under(gone, algebra)]).refused('This question is no longer on its assessment.');
  when([under(q1, algebra), under(q1, number)]).refused('A question stands under one header only.');
  when([under(q1, algebra)], { ...known, test: false }).refused('This assessment was deleted meanwhile.');
});

test('Save makes the headers that it names, each once, and takes one that is there', () => {
  const events = saveRevisionList(
    headers,
    save([
      { ...under(q1, null), header: 'ALGEBRA' },
      { ...under(q2, null), header: 'Vectors' },
    ]),
  ).events();
  const vectors = made('header-vectors');
  expect(events).toEqual([
    { type: 'RevisionHeaderAdded', data: { headerId: vectors, name: 'Vectors' } },
    { type: 'RevisionListSaved', data: { testId, questions: [under(q1, algebra), under(q2, vectors)] } },
  ]);
});

test('what two people change about different questions both counts; about one question the second is told, and nothing is stored', () => {
  const past = [...headers, saved([under(q1, algebra, 'Surds')])];
  const was = { headerId: null, text: null };
  saveRevisionList(past, save([{ ...under(q2, number), was }])).then([
    { type: 'RevisionListSaved', data: { testId, questions: [under(q2, number)] } },
  ]);
  const refusal = saveRevisionList(
    past,
    save([
      { ...under(q1, number), was },
      { ...under(q2, number), was },
    ]),
  ).refusal();
  expect([refusal.code, refusal.errors]).toEqual([
    'conflict',
    [{ path: 'questions.0', message: 'Question 1 stands under “Algebra” as “Surds” now.' }],
  ]);
  saveRevisionList(past, save([{ ...under(q1, algebra, 'Surds'), was }])).nothing();
});

test('Clear empties the list of the assessment, removed questions too, unless somebody has changed it since', () => {
  const past = [...headers, saved([under(q1, algebra), under(gone, number, 'Old')])];
  clearRevisionList(past).then([{ type: 'RevisionListCleared', data: { testId, questions: [under(q1, null), under(gone, null)] } }]);
  clearRevisionList(headers).nothing();
  clearRevisionList(past, { was: [under(q1, number)] }).refused('Somebody else has changed this revision list meanwhile.');
});

test('a header is renamed, unless a colleague has renamed it since', () => {
  const rename = { subjectId, headerId: algebra, name: 'Equations' };
  const renameRevisionHeader = deciding(RenameRevisionHeader, rename);
  const renamed: Happened = { type: 'RevisionHeaderRenamed', data: { headerId: algebra, name: 'Graphs' } };
  renameRevisionHeader(headers, { was: 'Algebra' }).then([
    { type: 'RevisionHeaderRenamed', data: { headerId: algebra, name: 'Equations' } },
  ]);
  renameRevisionHeader([...headers, renamed], { was: 'Algebra' }).refused(
    'Somebody else has renamed this topic header to “Graphs” meanwhile.',
  );
  renameRevisionHeader([...headers, renamed], { name: 'Graphs', was: 'Algebra' }).nothing();
  renameRevisionHeader(headers, { headerId: other }).refused('This topic header was deleted meanwhile.');
});

test('deleting a header takes its questions from under it in the same append, and restoring brings both back', () => {
  const past = [...headers, saved([under(q1, algebra), under(q2, algebra)])];
  const deletion: Happened = { type: 'RevisionHeaderDeleted', data: { headerId: algebra, questionIds: [q1, q2] } };
  deleteRevisionHeader(past, { was: 2 }).then([{ type: 'RevisionHeaderDeleted', data: { headerId: algebra, questionIds: [q1, q2] } }]);
  deleteRevisionHeader(past, { was: 1 }).refused('Somebody else has changed which questions');
  deleteRevisionHeader([...past, deletion]).nothing();
  saveRevisionList([...past, deletion], save([{ ...under(q1, number), was: { headerId: null, text: null } }])).then([
    { type: 'RevisionListSaved', data: { testId, questions: [under(q1, number)] } },
  ]);
  // The question that was put elsewhere meanwhile stays there.
  restoreRevisionHeader([...past, deletion, saved([under(q1, number)], id('later'))]).then([
    { type: 'RevisionHeaderRestored', data: { headerId: algebra, questionIds: [q2] } },
  ]);
  restoreRevisionHeader(past).nothing();
  restoreRevisionHeader(past, { headerId: other }).refused('There is no such topic header.');
});

test('headers are put in order; one that a colleague has added meanwhile comes after them, another order is told', () => {
  const past = [...headers, added(other, 'Other')];
  const order = (headerIds: string[], was?: string[]) => ({ subjectId, headerIds, ...(was && { was }) });
  orderRevisionHeaders(past, order([number, algebra], [algebra, number])).then([
    { type: 'RevisionHeadersOrdered', data: { headerIds: [number, algebra, other] } },
  ]);
  orderRevisionHeaders(past, order([number, algebra], [number, algebra])).refused('another order meanwhile');
  orderRevisionHeaders(past, order([algebra, number])).nothing();
  orderRevisionHeaders(past, order([algebra, id('never')])).refused('Each topic header stands in the order once.');
});

test('undo takes back what a command said, and redo brings it back; what was said since stays', () => {
  const past = [...headers, saved([under(q1, algebra), under(q2, algebra)], id('first')), saved([under(q1, number)], id('second'))];
  const nothing = { headers: [], order: null, kept: [] };
  const undo = (commandId: string) => ({ subjectId, commandId });
  undoRevisionChange(past, undo(id('first'))).then([
    { type: 'RevisionChangeUndone', data: { commandId: id('first'), questions: [under(q2, null)], ...nothing } },
  ]);
  const undone = undoRevisionChange(past, undo(id('first'))).events();
  undoRevisionChange([...past, ...undone], undo(id('first'))).nothing();
  undoRevisionChange([...past, ...undone], undo(id('second'))).then([
    { type: 'RevisionChangeUndone', data: { commandId: id('second'), questions: [under(q1, null)], ...nothing } },
  ]);
  given([...past, ...undone])
    .when(RedoRevisionChange, undo(id('first')))
    .then([{ type: 'RevisionChangeRedone', data: { commandId: id('first'), questions: [under(q2, algebra)], ...nothing } }]);
  undoRevisionChange(past, undo(id('never'))).refused('There is no such change of a revision list.');
});

test('undo removes the headers that a command has made, but none that a colleague uses', () => {
  const save1: Happened[] = [
    { type: 'RevisionHeaderAdded', data: { headerId: algebra, name: 'Algebra' }, commandId: id('save') },
    saved([under(q1, algebra)]),
  ];
  undoRevisionChange(save1, { commandId: id('save') }).then([
    {
      type: 'RevisionChangeUndone',
      data: {
        commandId: id('save'),
        questions: [under(q1, null)],
        headers: [{ headerId: algebra, name: 'Algebra', deleted: true }],
        order: null,
        kept: [],
      },
    },
  ]);
  undoRevisionChange([...save1, saved([under(q2, algebra)], id('colleague'))], { commandId: id('save') }, true, actor('teacher')).then([
    {
      type: 'RevisionChangeUndone',
      data: { commandId: id('save'), questions: [under(q1, null)], headers: [], order: null, kept: [algebra] },
    },
  ]);
});

test('the list of a student has what they lost marks on, the worst first', () => {
  const question = (n: number) => ({ questionId: id(`q${n}`), number: n });
  const list = [
    { headerId: algebra, questions: [question(1), question(2)] },
    { headerId: number, questions: [question(3), question(4)] },
    { headerId: other, questions: [question(5), question(6)] },
  ];
  const marks = new Map(
    [
      { of: 1, mark: 4, max: 5 },
      { of: 2, mark: 1, max: 2 },
      { of: 3, mark: 2, max: 4 },
      { of: 4, mark: 0, max: 1 },
      { of: 5, mark: 3, max: 3 },
      { of: 6, mark: null, max: 3 },
    ].map(({ of, mark, max }) => [id(`q${of}`), { mark, max }] as const),
  );
  const shown = personalList(list, marks).map(({ headerId, questions }) => [headerId, questions.map((one) => one.number)]);
  expect(shown).toEqual([
    [number, [4, 3]],
    [algebra, [2, 1]],
  ]);
});
