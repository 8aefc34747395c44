import type { Builder } from './builder.ts';
import { DemoTask } from './feedback-tasks.ts';
import type { Mathematics, Staff } from './mathematics.ts';
import type { Sets } from './papers.ts';

type School = { readonly staff: Staff; readonly maths: Mathematics; readonly sets: Sets };
const classes = { teacher1: ['11X1', '11X2', '11X3'], leader: ['11X4'], teacher2: ['11Y1', '11Y2'] } as const;

/** Ranks six classes by the autumn paper. It is checked, and then left for the winter papers: no grades are allocated. */
export const autumnRanking = async (builder: Builder, school: School): Promise<void> => {
  const { calendar } = builder;
  const task = new DemoTask(builder, school, { name: 'Autumn ranking', classes, papers: () => ['autumn'] });
  calendar.goTo(6, 'Mon', '14:20');
  await task.ranked();
  calendar.goTo(6, 'Tue', '16:10');
  await task.rankingChecked('teacher1', {
    '11X1': { no: 'M0010', teacherRank: 4, comment: 'Had the paper on her first day back after two weeks in hospital.' },
  });
  calendar.goTo(6, 'Wed', '12:40');
  await task.rankingChecked('teacher2');
  await task.rankingChecked('leader');
};

/** Ranks the same classes by the winter papers of both tiers as well. The ranking is checked, graded and checked again; only the leader's last decision is open. */
export const winterRanking = async (builder: Builder, school: School, profileId: string): Promise<void> => {
  const { calendar } = builder;
  const task = new DemoTask(builder, school, {
    name: 'Winter ranking',
    classes,
    papers: (set) => ['autumn', set.startsWith('11X') ? 'winterHigher' : 'winterFoundation'],
  });
  calendar.goTo(9, 'Fri', '12:30');
  await task.ranked();
  calendar.goTo(9, 'Fri', '13:05');
  await task.rankingChecked('leader');
  await task.rankingChecked('teacher1', { '11X1': { no: 'M0018', comment: 'Was absent in autumn: one paper says little about him.' } });
  await task.rankingChecked('teacher2');
  calendar.goTo(9, 'Fri', '14:30');
  await task.graded(profileId);
  calendar.goTo(9, 'Fri', '15:20');
  await task.gradesChecked('leader');
  await task.gradesChecked('teacher1', { '11X1': { no: 'M0014', comment: 'A grade below what she shows in every lesson.' } });
  await task.gradesChecked('teacher2');
};
