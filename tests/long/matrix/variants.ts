import { randomUUID } from 'node:crypto';
import { callRows, cases } from '../../calls/cases.ts';
import type { Case as Call } from '../../calls/case.ts';
import { idsIn, isQuery, withId } from '../../matrix/asking.ts';
import type { Asked } from '../../matrix/row.ts';
import { rows } from '../../matrix/rows.ts';
import type { World } from '../../matrix/world.ts';
import type { Ids, RoleName } from '../../support/school.ts';
import type { Kind, Things } from './things.ts';
import { places, thingsOf } from './things.ts';

/** One request that is recorded: `route` may end in the name of a table, `variant` says which ids are not those of the legal request. */
export type Variant = { readonly route: string; readonly variant: string; readonly asked: Asked; readonly reads: boolean };

/** A world that is kept for record.ts. */
export type KeptWorld = {
  /** when it was made, in milliseconds */
  readonly at: number;
  readonly database: string;
  readonly emails: Readonly<Record<string, string>>;
  readonly ids: Ids;
  readonly accounts: Readonly<Record<RoleName, string>>;
  readonly things: Things;
  readonly variants: readonly Variant[];
};

/** Addresses besides queries, commands, records and documented calls that are about something of the school. */
const OTHERS = ['GET /api/door/join-code', 'GET /api/door/join/waiting', 'GET /api/door/sessions', 'POST /api/door/join/clear'];
/** Whether it is about something of the school. What ends or changes the session is not. */
export const isRecorded = (route: string): boolean =>
  !(rows.get(route)?.anew ?? false) &&
  (OTHERS.includes(route) || callRows.has(route) || /^\w+ \/api\/(queries|commands|rest)\//u.test(route));

/** Every request with every kind of id, once what all of them need is there. */
export const variantsOf = async (world: World): Promise<{ readonly variants: readonly Variant[]; readonly things: Things }> => {
  const asked: [route: string, asked: Asked][] = [];
  for (const [route, row] of rows) if (isRecorded(route) && !callRows.has(route)) asked.push([route, await row.ask(world)]);
  for (const [name, one] of Object.entries(cases)) if (!one.anew) asked.push([name.replace(' /', ' /api/'), await askedBy(world, one)]);
  const things = await thingsOf(world);
  const kindOf = await kindsOf(world);
  return { things, variants: asked.filter(isWritable).flatMap(([route, one]) => each(world, route, one, things, kindOf)) };
};

/** Not every query can be written into an address. */
const isWritable = ([, { query = {} }]: [string, Asked]): boolean => Object.values(query).every((one) => typeof one === 'string');

const askedBy = async (world: World, { given, ask }: Call): Promise<Asked> => {
  await given?.(world);
  return ask(world);
};

/** A query's second method differs in how it is written, not in what it is about: with ids all of one place only. */
const isRepeated = (route: string): boolean => route.startsWith('GET /api/queries/');

const each = ({ elsewhere }: World, route: string, asked: Asked, there: Things, kindOf: ReadonlyMap<string, Kind>): Variant[] => {
  const ids = idsIn(asked);
  const known = ids.flatMap((id) => (kindOf.has(id) ? [[id, kindOf.get(id)!] as const] : []));
  const ones = new Map(known.toReversed().map(([id, kind]) => [kind, id]));
  const single = [...ones].flatMap(([kind, id]) =>
    places.flatMap((place): [string, Asked][] => {
      const other = there[place][kind];
      return other === undefined || other === id ? [] : [[`${kind} ${place}`, withId(asked, id, other)]];
    }),
  );
  const strange = ids
    .filter((id) => !kindOf.has(id))
    .flatMap((id, at) =>
      (['other class', 'other subject', 'other school', 'nowhere'] as const).flatMap((place): [string, Asked][] => {
        const other = place === 'nowhere' ? randomUUID() : elsewhere(id, place);
        return other === undefined ? [] : [[`id ${at + 1} ${place}`, withId(asked, id, other)]];
      }),
    );
  const whole = places.map((place): [string, Asked] => [
    `all ${place}`,
    known.reduce((all, [id, kind]) => withId(all, id, there[place][kind] ?? id), asked),
  ]);
  const differs = (one: Asked): boolean => JSON.stringify(one) !== JSON.stringify(asked);
  const others = [...(isRepeated(route) ? [] : [...single, ...strange]), ...whole.filter(([, one]) => differs(one))];
  // First the legal one: what is stored by another may have its name.
  const all = [['own', asked] as const, ...others];
  return all.map(([variant, one]) => ({ route, variant, asked: anew(one), reads: isQuery(route) }));
};

/** An entry of marks is made once. */
const anew = (asked: Asked): Asked => {
  const id = /"entryId":"([^"]+)","subjectId"/u.exec(JSON.stringify(asked))?.[1];
  return id === undefined ? asked : withId(asked, id, randomUUID());
};

/** What the ids of the school name. */
const kindsOf = async ({ school }: World): Promise<ReadonlyMap<string, Kind>> => {
  const found = await school.backend.readAs(school.schoolId, async (query) => {
    const all = await Promise.all(
      TABLES.map(async ([kind, table, column]) =>
        (await query<{ id: string }>(`select ${column} as id from ${table} where school_id = $1`)).map(({ id }) => [id, kind] as const),
      ),
    );
    return all.flat();
  });
  return new Map(found);
};
const TABLES: readonly (readonly [Kind, table: string, column: string])[] = [
  ['subject', 'subjects', 'subject_id'],
  ['yearGroup', 'year_groups', 'year_group_id'],
  ['yearGroup', 'deleted_year_groups', 'year_group_id'],
  ['set', 'sets', 'set_id'],
  ['assessment', 'tests', 'test_id'],
  ['assessment', 'deleted_tests', 'test_id'],
  ['task', 'feedback_tasks', 'task_id'],
  ['student', 'students', 'student_id'],
  ['scheme', 'schemes', 'scheme_id'],
  ['scheme', 'deleted_schemes', 'scheme_id'],
  ['teacher', 'teachers', 'teacher_id'],
  ['terminalExam', 'terminal_exams', 'terminal_exam_id'],
  ['gradeProfile', 'grade_profiles', 'grade_profile_id'],
  ['account', 'accounts', 'account_id'],
  ['question', 'questions', 'question_id'],
  ['schemeTopic', 'schemes', `(json_array_elements(topics) ->> 'topicId')`],
];
