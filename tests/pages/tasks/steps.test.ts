import { afterAll, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { openExample } from '../../support/worked-example.ts';
import { open } from '../support/open.ts';

/** The steps of the task of the worked example, on the pages of the leader and of a teacher. */
const school = await openSchool();
afterAll(school.close);
const [leader, teacherA] = [await school.as('leader'), await school.as('teacherA')];
const example = await openExample(school);
const { taskId = '' } = await leader.done('CreateFeedbackTask', { ...example.task, name: 'Winter mocks' });
await leader.done('RankTask', { taskId, terminalExamId: example.terminalExamId, testIds: example.testIds });

test('a score that the leader has overridden is marked in the markbook, the ranking and the check of the class', async () => {
  const without = example.setIds.map((setId) => ({ setId, reason: 'Ill' }));
  await leader.done('AssignGrades', { taskId, gradeProfileId: example.gradeProfileId, without });
  const decided = { studentId: example.students['Clark'], ranking: null, score: 90, grade: null, exempt: false };
  await leader.done('DecideResults', { taskId, rows: [decided] });
  const overridden = 'overridden by leader, computed 81.89';
  const markbook = await open(leader, '/leader/markbook?year=10');
  await markbook.says(overridden);
  await markbook.says('overridden by the leader');
  const teacher = await open(teacherA, '/teacher?year=10&set=10X1');
  await teacher.press(/^Check the grades/);
  await (await teacher.dialog('Check the grades – 10X1')).says(overridden);
  const task = await open(leader, '/leader?year=10');
  await task.press('Open Winter mocks');
  const dialog = await task.dialog('Winter mocks – Year 10');
  await dialog.press(/Initial ranking/);
  await dialog.says(overridden);
});
