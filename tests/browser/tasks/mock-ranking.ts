import type { APIRequestContext, Locator, Page } from 'playwright-core';
import type { FlaggedTotal } from '../../../api/contract/total-flag.ts';
import type { Me } from '../../../api/accounts/accounts.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import type { Task, Tasks } from '../../../api/tasks/task.contract.ts';
import type { GradeProfiles } from '../../../api/tasks/grades/grade-profile.contract.ts';
import type { TaskRanking } from '../../../api/tasks/ranking/task-ranking.contract.ts';
import { tomorrow } from '../../support/samples.ts';
import { act, ask } from '../calls.ts';
import { hasFocus, tabTo } from '../keyboard.ts';

export const AUTUMN = 'Autumn assessment (simulated)';
export const HIGHER = 'Winter assessment, Higher (simulated)';
export const FOUNDATION = 'Winter assessment, Foundation (simulated)';
const PAPERS = { '11X1': [AUTUMN, HIGHER], '11Y1': [AUTUMN, FOUNDATION] } as const;
type MockSet = keyof typeof PAPERS;

/**
 * A feedback task of this name of 11X1, which teacher 1 has, and 11Y1, which teacher 2 has, and its steps by the leader's calls, each of which
 * knows all that those before have done. In the demo school with its past.
 */
export const mockRanking = async (leader: APIRequestContext, name: string) => {
  let position: string | null = null;
  const asked = <Answer>(path: string): Promise<Answer> => ask<Answer>(leader, path, position);
  const done = async (command: string, data: object): Promise<Readonly<Record<string, string>>> => {
    const acted = await act(leader, command, data);
    position = acted.position ?? position;
    return acted.result;
  };
  const subjectId = (await asked<Me>('me')).subjects[0]?.subjectId ?? '';
  const { yearGroups, tests } = await asked<Structure>(`structure?subjectId=${subjectId}`);
  const { yearGroupId = '', sets = [] } = yearGroups.find(({ year }) => year === 11) ?? {};
  const setId = (set: string) => sets.find((one) => one.name === set)?.setId ?? '';
  const testId = (test: string) => tests.find((one) => one.name === test)?.testId ?? '';
  const { taskId = '' } = await done('CreateFeedbackTask', {
    subjectId,
    yearGroupId,
    name,
    expiry: tomorrow(),
    teacherInput: true,
    maps: Object.entries(PAPERS).flatMap(([set, papers]) => papers.map((paper) => ({ setId: setId(set), testId: testId(paper) }))),
  });
  const ofSet = (set: MockSet) => ({ taskId, setId: setId(set) });
  return {
    taskId,
    done,
    ofSet,
    students: async (set: MockSet) => (await asked<TaskRanking>(`task-ranking?taskId=${taskId}&setId=${setId(set)}`)).students,
    /** By the exam of the demo's own ranking and the papers of both tiers, whatever is contested. */
    async ranked(): Promise<void> {
      const { tasks } = await asked<Tasks>(`tasks?yearGroupId=${yearGroupId}`);
      const winter = tasks.find((one) => one.name === 'Winter ranking');
      const { ranking } = await asked<Task>(`task?taskId=${winter?.taskId}`);
      const by = { taskId, terminalExamId: ranking?.terminalExamId ?? '', testIds: [AUTUMN, HIGHER, FOUNDATION].map(testId) };
      const { asks } = (await (await leader.post('/api/commands/RankTask', { data: by })).json()) as Asked;
      await done('RankTask', { ...by, flaggedTotals: asks?.flaggedTotals ?? [] });
    },
    /** By the leader in the teachers' places. */
    async checked(): Promise<void> {
      for (const set of ['11X1', '11Y1'] as const) await done('CheckRanking', { ...ofSet(set), rows: [] });
    },
    async graded(): Promise<void> {
      const { profiles } = await asked<GradeProfiles>(`grade-profiles?subjectId=${subjectId}&yearGroupId=${yearGroupId}`);
      await done('AssignGrades', { taskId, gradeProfileId: profiles.find((one) => one.name === 'GCSE 9 to 1')?.gradeProfileId });
    },
    async gradesChecked(): Promise<void> {
      for (const set of ['11X1', '11Y1'] as const) await done('CheckGrades', { ...ofSet(set), rows: [] });
    },
  };
};

/** What is contested, and is to be named by whoever ranks all the same. */
type Asked = { readonly asks?: { readonly flaggedTotals: readonly FlaggedTotal[] } };

/** The step that is open. */
export const step = (dialog: Locator, title: string): Locator => dialog.getByRole('region', { name: title, exact: true });

export const goOn = (dialog: Locator): Promise<void> => dialog.getByRole('button', { name: 'Continue' }).click();

/** By the keyboard; the step that opens takes it on. */
export const goOnByKey = async (dialog: Locator, to: string): Promise<void> => {
  await tabTo(dialog.page(), 'Continue');
  await dialog.page().keyboard.press('Enter');
  await hasFocus(dialog.getByRole('button', { name: to }));
};

/** Opens the task where it stands. */
export const openTask = async (leader: Page, name: string): Promise<Locator> => {
  await leader.goto('/leader?year=11');
  await leader.getByRole('button', { name: `Open ${name}` }).click();
  const dialog = leader.getByRole('dialog', { name: `${name} – Year 11` });
  await dialog.waitFor();
  return dialog;
};

/** What a teacher's home says of it. */
export const cardOf = (page: Page | Locator, name: string): Locator => page.getByRole('listitem').filter({ hasText: name });
