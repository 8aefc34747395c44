import { afterAll, expect, test } from 'vitest';
import type { Structure } from '../../../api/school/school.contract.ts';
import { rest } from '../../support/rest.ts';
import { openSchool } from '../../support/school.ts';
import { csv, open, user } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths } = school.ids;

test('a subject needs a name of its own', async () => {
  const page = await open(admin, '/admin/subjects');
  await page.press('Add subject');
  const dialog = await page.dialog('Add subject');
  await dialog.press('Add subject');
  await dialog.says('Required.');
  await dialog.fill('Subject name', 'mathematics');
  await dialog.press('Add subject');
  await dialog.says('Subject name needs to be unique');
  await dialog.fill('Subject name', 'Welding');
  await dialog.press('Add subject');
  await page.says('Welding added.');
  await page.find('heading', 'Welding');
});

test('before a subject is deleted a question says what goes, Escape keeps it, and Undo brings it back', async () => {
  const { subjectId = '' } = await admin.done('AddSubject', { name: 'Weaving' });
  await admin.done('AddYearGroup', { subjectId, year: 11 });
  await admin.done('AddScheme', { subjectId, name: 'Looms' });
  const page = await open(admin, '/admin/subjects');
  await page.press('Delete Weaving');
  await page.dialog('Delete Weaving?');
  await page.says('will be hidden with it');
  await user.keyboard('{Escape}');
  await page.gone('will be hidden with it');
  expect(document.activeElement).toBe(await page.find('button', 'Delete Weaving'));
  await page.press('Delete Weaving');
  const dialog = await page.dialog('Delete Weaving?');
  await dialog.says('Its 1 year group and 1 scheme of work will be hidden with it. Undo brings everything back.');
  await dialog.press('Delete');
  await page.goneFrom('heading', 'Weaving');
  await page.press('Undo');
  await page.find('heading', 'Weaving');
});

test('a scheme of work is read from a file, and what is half typed is saved with it', async () => {
  const page = await open(admin, '/admin/sow');
  await page.press('Add scheme of work');
  const dialog = await page.dialog('Add scheme of work');
  await dialog.fill('Name of the scheme of work', 'Foundation');
  await dialog.upload(csv('topics.csv', 'Topic', 'Colour'));
  await dialog.says('The upload file does not meet the required format.');
  await dialog.upload(csv('topics.csv', 'SoW_Topic', 'Colour', 'Line'));
  await dialog.says('2 topics read from topics.csv.');
  await dialog.press('Move Topic 2 up');
  await dialog.fill('New topic', 'Tone');
  await dialog.press('Add scheme of work');
  await page.says('Foundation saved with 3 topics.');
  await page.press('Edit Foundation');
  const stored = await page.dialog('Edit scheme of work');
  const topics = await Promise.all([1, 2, 3].map((number) => stored.field(`Topic ${number}`)));
  expect(topics.map(({ value }) => value)).toEqual(['Line', 'Colour', 'Tone']);
  await stored.press('Cancel');
  await page.goneFrom('dialog', 'Edit scheme of work');
  await page.press('Delete Foundation');
  const deletion = await page.dialog('Delete Foundation?');
  await deletion.says('Its 3 topics will be hidden with it. Undo brings everything back.');
  await deletion.press('Delete');
  await page.goneFrom('heading', 'Foundation');
  await page.press('Undo');
  await page.find('heading', 'Foundation');
});

test('a year group and its sets need sensible numbers and names of their own', async () => {
  const page = await open(admin, '/admin/classes');
  const year = 'New year group, such as 11';
  await page.fill(year, '0');
  await page.says('The value must be greater than zero');
  await page.fill(year, '1.5');
  await page.says('The value must be an integer number');
  await page.fill(year, '11');
  await page.says('This year group exists already');
  await page.fill(year, '14');
  await page.press('Add year group');
  await (await page.dialog('Year 14?')).press('Change it');
  await page.goneFrom('dialog', 'Year 14?');
  await page.holds(year, '14');
  await page.press(/^Year 11/);
  await page.fill('Amber % of 11A', '90');
  await page.says('The thresholds must rise from red to amber to green.');
  await page.cannotPress('Save (1)');
  await page.fill('Amber % of 11A', '50');
  await page.press('Save (1)');
  await page.says('Submitted successfully!');
  await page.fill('Add new group', '11a');
  await page.says('Set name needs to be unique');
  await page.cannotPress('Add group');
});

test('what ticked sets have in common is changed at once, saved in one, and undone in one', async () => {
  const page = await open(admin, '/admin/classes');
  await page.press(/^Year 11/);
  for (const name of ['11A', '11B']) await page.check(`Choose ${name}`);
  await page.press('Assessments');
  const choices = await page.part('group', 'What the 2 sets sit');
  await choices.check('Mock');
  await choices.check('Unready');
  await page.find('button', 'Mapped assessments of 11A: Other, Unready');
  // Only one of them sits it by now: the next tick gives it to both.
  await page.press('Mapped assessments of 11A: Other, Unready');
  await (await page.part('group', 'Mapped assessments of 11A')).check('Other');
  await choices.says('1 of 2 sets');
  await choices.check(/^Other/);
  await page.press('Save (2)');
  await page.says('Submitted successfully!');
  await page.find('button', 'Mapped assessments of 11C: Mock, Other');
  await page.goneFrom('row', /not saved yet/);
  expect(await testsOf('11A', '11B')).toEqual(['Other, Unready', 'Other, Unready']);
  await page.press('Undo');
  await page.says('The classes are as they were.');
  expect(await testsOf('11A', '11B')).toEqual(['Mock, Other', 'Mock, Other']);
});

test('ticked sets move to another year group, with another scheme of work', async () => {
  await admin.done('AddYearGroup', { subjectId: maths, year: 10 });
  await admin.done('AddScheme', { subjectId: maths, name: 'Higher' });
  const page = await open(admin, '/admin/classes');
  await page.press(/^Year 11/);
  for (const name of ['11B', '11C']) await page.check(`Choose ${name}`);
  const chosen = await page.part('region', 'Chosen');
  await chosen.choose('Scheme of work', 'Higher');
  await chosen.choose('Year group', 'Year 10');
  await (await page.part('row', 'Set 11C')).says('to Year 10');
  await page.press('Save (2)');
  await page.find('button', /^Year 10.*2 sets, 8 students/);
  await page.goneFrom('row', 'Set 11C');
  await page.press('Undo');
  await page.find('button', /^Year 11.*3 sets, 12 students/);
});

test('if somebody else changes one of the sets while they are saved, none is, and what was typed stays', async () => {
  const page = await open(admin, '/admin/classes');
  await page.press(/^Year 11/);
  await page.fill('Green % of 11A', '80');
  await page.fill('Green % of 11B', '80');
  const saving = page.line.hold(/ChangeSets/, 'there');
  await page.press('Save (2)');
  await saving.reached;
  await admin.done('ChangeSet', { subjectId: maths, setId: school.ids.setB, thresholds: { red: 0, amber: 45, green: 70 } });
  saving.letGo();
  await page.says('Somebody else has changed this set meanwhile. Look at it, then save again.');
  await page.holds('Green % of 11A', '80');
  await page.find('button', 'Save (2)');
  await page.press('Save (2)');
  await page.says('Submitted successfully!');
  await page.find('button', 'Save');
  await page.holds('Green % of 11B', '80');
});

/** The names of what sets sit. */
const testsOf = async (...names: readonly string[]): Promise<string[]> => {
  const { yearGroups, tests } = await admin.ask<Structure>('structure', { subjectId: maths });
  const sets = yearGroups.flatMap((group) => group.sets);
  return names.map((name) => {
    const { testIds = [] } = sets.find((set) => set.name === name) ?? {};
    return tests.flatMap((one) => (testIds.includes(one.testId) ? one.name : [])).join(', ');
  });
};

test('a set with students is deleted only with their move to Off-Roll, which its dialog says', async () => {
  const page = await open(admin, '/admin/classes');
  await page.press(/^Year 11/);
  await page.press('Delete set 11C');
  const dialog = await page.dialog('Delete 11C?');
  await dialog.says('4 students are in it');
  await dialog.press('Cancel');
  await page.goneFrom('dialog', 'Delete 11C?');
  await page.press('Delete set 11C');
  await (await page.dialog('Delete 11C?')).press('Move 4 students to Off-Roll and delete');
  await page.says('11C deleted.');
  await page.goneFrom('row', 'Set 11C');
  await page.press('Restore 11C');
  await page.says('11C is back.');
});

test('a teacher needs a name of their own, and is removed after a question', async () => {
  const page = await open(admin, '/admin/teachers');
  await page.fill('Add new teacher', 'teacher a');
  await page.says('Teacher name needs to be unique');
  const row = await page.part('listitem', 'Teacher A');
  await row.fill('Teacher name', ' ');
  await row.says('Required.');
  await page.cannotPress('Submit (1)');
  await page.press('Delete Teacher B');
  await (await page.dialog('Delete Teacher B?')).press('Delete');
  await page.says('Teacher B deleted.');
  await page.goneFrom('listitem', 'Teacher B');
  await page.press('Undo');
  await (await page.part('listitem', 'Teacher B')).find('button', '11B');
});

test('a teacher who leaves hands the classes over and loses the log-in, and comes back without it', async () => {
  const page = await open(admin, '/admin/teachers');
  await page.press('Delete Teacher A');
  const dialog = await page.dialog('Delete Teacher A?');
  await dialog.choose('11A', 'Teacher B');
  await dialog.check(/^Deactivate it at once, and for good/);
  await dialog.says('Undo brings the teacher and the classes back, but not the log-in.');
  await dialog.press('Delete, and deactivate the log-in');
  await page.says('Teacher A deleted, and the log-in deactivated.');
  await (await page.part('listitem', 'Teacher B')).find('button', '11A');
  await page.press('Undo');
  const question = await page.dialog('Undo it all the same?');
  await question.says('The log-in stays closed: invite the person again under Manage Users.');
  await question.press('Undo');
  await (await page.part('listitem', 'Teacher A')).find('button', '11A');
  await (await page.part('listitem', 'Teacher B')).find('button', '11B');
  expect(page.seen().getAllByRole('button', { name: '11A' })).toHaveLength(1);
});

test('a group that is half typed is not left without a question', async () => {
  const page = await open(admin, '/admin/classes');
  await page.press(/^Year 11/);
  await page.fill('Add new group', '11Q');
  for (const answer of ['Stay here', 'Leave all the same'] as const) {
    await page.holds('Add new group', '11Q');
    await page.press('Assign teachers to classes', 'link');
    await page.whenAsked(answer);
  }
  await page.field('Add new teacher');
});

test('a form outlives the list that it was opened from, and asks before it lets go of what was typed', async () => {
  const { subjectId = '' } = await admin.done('AddSubject', { name: 'Zoology' });
  const page = await open(admin, '/admin/sow');
  await page.choose('Subject', 'Zoology');
  await page.says('What is taught in Zoology');
  await page.press('Add scheme of work');
  const form = await page.dialog('Add scheme of work');
  await form.fill('Name of the scheme of work', 'Mammals');
  await admin.done('AddScheme', { subjectId, name: 'Birds' });
  await page.says('Birds');
  await form.holds('Name of the scheme of work', 'Mammals');
  for (const answer of ['Stay here', 'Leave all the same']) {
    (await form.field('Name of the scheme of work')).focus();
    await user.keyboard('{Escape}');
    await (await page.dialog('Leave without saving?')).press(answer);
    await page.goneFrom('dialog', 'Leave without saving?');
  }
  await page.goneFrom('dialog', 'Add scheme of work');
});

test.each([
  ['assessments', '/admin/assessments', { name: 'Grade 8' }, /^Grade 8/, 'Assessment name', 'Grade 7'],
  ['yearGroups', '/admin/classes', { year: 7 }, /^Year 7/, 'Year group', '8'],
  ['teachers', '/admin/teachers', { name: 'Clara Wieck' }, undefined, 'Teacher name', 'Clara Schumann'],
])('of %s, what is typed about one that somebody else removes can still be copied', async (resource, at, data, opens, label, typed) => {
  const made = await rest(admin, 'POST', resource, { subjectId: maths, ...data });
  const { id } = made.body as unknown as { readonly id: string };
  const page = await open(admin, at);
  const row = opens ? page : await page.part('listitem', 'Clara Wieck');
  if (opens) {
    await page.press(opens);
    await page.press('Rename');
  }
  await row.fill(label, typed);
  await rest(admin, 'DELETE', `${resource}/${id}`);
  await row.says('Somebody else has deleted this meanwhile.');
  await row.holds(label, typed);
});

test('what somebody else does shows at once, in the list and under an open form, and what was typed stays', async () => {
  const { subjectId = '' } = await admin.done('AddSubject', { name: 'Woodwork' });
  const page = await open(admin, '/admin/subjects');
  await page.press('Edit Woodwork');
  const form = await page.dialog('Edit subject');
  await form.fill('Subject name', 'Wood works');
  await admin.done('RenameSubject', { subjectId, name: 'Physics' });
  await form.says('Somebody else has changed this meanwhile.');
  await form.holds('Subject name', 'Wood works');
  await form.press('Show what it says now');
  await form.holds('Subject name', 'Physics');
  await form.fill('Subject name', 'Sports');
  await admin.done('RenameSubject', { subjectId, name: 'Physiology' });
  await form.says('What you typed is still here. Save to store it in place of theirs.');
  await page.says('Physiology');
  await form.press('Save');
  await page.find('heading', 'Sports');
});

test('what is typed into a list while it is being saved stays, and is saved next', async () => {
  const page = await open(admin, '/admin/teachers');
  const row = await page.part('listitem', 'Teacher A');
  const saving = page.line.hold(/\/rest\/teachers\//, 'there');
  await row.fill('Teacher name', 'Ada Bell');
  await page.press('Submit (1)');
  await saving.reached;
  await row.fill('Teacher name', 'Ada Bells');
  saving.letGo();
  await (await page.part('listitem', 'Ada Bell')).holds('Teacher name', 'Ada Bells');
  expect(page.seen().queryByText('Somebody else has changed this meanwhile', { exact: false })).toBeNull();
  await page.press('Submit (1)');
  await page.find('listitem', 'Ada Bells');
});

test('the school is given another name on the home of the administration', async () => {
  const page = await open(admin, '/admin');
  await page.fill('Name of the school', 'Hill & Dale School');
  await (await page.part('region', 'School')).press('Save');
  await page.says('The school has its new name.');
  await page.find('heading', 'Hill & Dale School');
});

test('whoever only reads is told that there is nothing, and not how to add it', async () => {
  await admin.done('AddSubject', { name: 'Archery' });
  const page = await open(await school.as('auditor'), '/admin/classes');
  await page.find('heading', 'Archery has no year group yet');
  await page.gone('Add the first one above.');
});
