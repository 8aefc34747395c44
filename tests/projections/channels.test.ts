import { expect, test } from 'vitest';
import { projections } from '../../projections/all.ts';
import type { ProjectionDefinition } from '../../projections/engine/projection.ts';

type Told = ProjectionDefinition<never, { readonly type: string }>;

const subject = '00000000-0000-4000-8000-000000000001';
/** Every row is there, and belongs to the subject. */
const rows = new Proxy({}, { get: () => ({ get: () => ({ subject_id: subject, command_id: 'command' }) }) });
const eventOf = (type: string) => ({
  type,
  stream: type.startsWith('Submission') ? 'submission-student.test' : `stream-school.${subject}`,
  data: { subjectId: subject, commandId: 'command' },
  metadata: { schoolId: 'school', commandId: 'command' },
});

/** What is told on no channel stays old on live pages, without an error. */
test('what every event changes is told on a channel of its read model, but for what no page shows', () => {
  const told = (projections as unknown as readonly Partial<Told>[]).flatMap(({ name, on = [], channels }) => {
    if (channels === undefined) return [];
    const each = on.map((type) => [type, channels(eventOf(type), rows as never)] as const);
    const all = new Set(each.flatMap(([, theirs]) => theirs.map((channel) => channel.replace(subject, 'of'))));
    return [[name, [...all].toSorted().join(' '), each.flatMap(([type, theirs]) => (theirs.length === 0 ? [type] : []))]];
  });
  const places = ['StudentAdded', 'StudentsImported', 'StudentEnrolled', 'StudentMoved', 'StudentTakenOffRoll', 'StudentRemoved'];
  expect(told).toEqual([
    ['structure', 'structure:of subjects', []],
    ['accounts', 'staff', []],
    ['looks', '', ['StudentLookedAt']],
    ['roster', 'roster', []],
    ['assessments', 'marks:of structure:of', []],
    ['mappings', 'structure:of', []],
    ['revision_lists', 'structure:of', []],
    [
      'results',
      'marks:of marks:of/* marks:of/test save:command',
      ['AssessmentCreated', 'StaffAccountForgotten', ...places, 'RosterCommandUndone'],
    ],
    ['prior', 'prior:of', ['StaffAccountForgotten']],
    ['grade_profiles', 'tasks:of', []],
    ['tasks', 'tasks:of', ['StaffAccountForgotten', 'StudentForgotten']],
  ]);
});
