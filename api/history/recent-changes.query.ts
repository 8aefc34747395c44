import type { z } from 'zod';
import { idIn } from '../../events/aggregate.ts';
import { assessmentEvents } from '../../events/assessments/assessment.ts';
import { entryEvents } from '../../events/marks/entry.ts';
import { priorEvents } from '../../events/prior/prior.ts';
import { revisionListsEvents } from '../../events/revision-lists/revision-lists.ts';
import { subjectEvents } from '../../events/school/subject.ts';
import { rosterEvents } from '../../events/students/roster.ts';
import type { Actor } from '../actor.ts';
import type { RunSql } from '../common/facts.ts';
import { defineQuery } from '../common/query.ts';
import type { changeKinds, RecentAct, RecentChanges } from './history.contract.ts';
import { historyQueries } from './history.contract.ts';
import type { RecordRow } from './history.query.ts';
import { entriesOf, lastWith, newestOf, positionOf, RECORD } from './history.query.ts';
import { asSeenBy, turnsAllowed } from './recent-acts.facts.ts';
import { newestOfSubject, placed, studentsIn, Values } from './record-sql.ts';

type Kind = (typeof changeKinds)[number];

/** Events that take back a command, and those that bring it back; an undo that is undone itself is a `RosterCommandUndone` too. */
const TURNS: Readonly<Record<string, boolean>> = {
  CommandUndone: true,
  CommandRedone: false,
  PriorScoresUndone: true,
  PriorScoresRedone: false,
  RevisionChangeUndone: true,
  RevisionChangeRedone: false,
  RosterCommandUndone: true,
};
/** These change nothing that could be taken back here. */
const OTHERS = ['StudentForgotten', 'TeacherForgotten', 'SubjectAdded', 'SubjectRenamed', 'SubjectRemoved', 'SubjectRestored'];

const typesIn = (events: object): string[] => Object.keys(events).filter((type) => !(type in TURNS) && !OTHERS.includes(type));
const typesOf: Readonly<Record<Kind, readonly string[]>> = {
  students: typesIn(rosterEvents),
  structure: typesIn(subjectEvents),
  assessments: typesIn(assessmentEvents),
  lists: typesIn(revisionListsEvents),
  marks: typesIn(entryEvents),
  prior: typesIn(priorEvents),
};
const CATEGORIES: Readonly<Record<string, Kind>> = {
  roster: 'students',
  subject: 'structure',
  assessment: 'assessments',
  revision: 'lists',
  entry: 'marks',
  prior: 'prior',
};
/** So many entries are looked through for the acts of a page, and then so many: most acts have few, some hundreds. */
const [FEW_ROWS, MANY_ROWS] = [300, 2_000];

/** The acts that changed a subject, newest first, with what takes each back, or brings it back; of a teacher their own, and those on marks of their classes. */
export const recentChanges = defineQuery({
  ...historyQueries['recent-changes'],
  models: ['record', 'accounts', 'structure', 'assessments', 'roster', 'revision_lists', 'results'],
  async run(query, asked, actor, _about, log): Promise<RecentChanges> {
    const { subjectId, limit } = asked;
    const few = await actsIn(query, asked, actor, FEW_ROWS);
    const { acts: all, isLast, end } = few.acts.length > limit || few.isLast ? few : await actsIn(query, asked, actor, MANY_ROWS);
    const page = all.slice(0, limit);
    const shown = await wholeActs(query, page, actor);
    const told = shown.flatMap((act) => act.toSorted((one, other) => weight(other) - weight(one))[0] ?? []);
    const read = await log(told);
    const events = read.map(({ event }) => event);
    const entries = await entriesOf(query, told, await asSeenBy(query, actor, events));
    const turned = await turnsOf(query, shown.flat());
    const mayTurn = await turnsAllowed(query, actor, subjectId, shown.flat());
    const acts = shown.flatMap((of, index): RecentAct[] => {
      const entry = entries[index];
      const newest = of[0];
      if (!entry || !newest) return [];
      const { at, by: author, sentence, eventId } = entry;
      const turn = turned(of);
      const undo = undoOf(of, turn);
      const about = { actId: newest.actId, kind: kindOf(told[index] ?? newest), at, by: author, sentence, eventId, others: of.length - 1 };
      return [{ ...about, isUndone: turn.isUndone, undo: undo && mayTurn(undo, of) ? undo : null }];
    });
    // An act stands where its newest entry does: the next page begins beneath the last one, or where nothing more was looked at.
    const next = page.at(-1)?.[0]?.eventId ?? end ?? null;
    return { acts, next: isLast && all.length <= limit ? null : next };
  },
});

type Found = {
  /** The entries of each act that match, the newest first. */
  readonly acts: readonly (readonly RecordRow[])[];
  /** There are no others. */
  readonly isLast: boolean;
  /** The last entry that was looked at. */
  readonly end: string | undefined;
};
type Asked = z.output<(typeof historyQueries)['recent-changes']['input']>;

/** The acts of the newest so many entries that match. */
const actsIn = async (query: RunSql, asked: Asked, actor: Actor, limit: number): Promise<Found> => {
  const { subjectId, kind, before, from, to, by } = asked;
  const values = new Values();
  const of = values.add(subjectId, 'uuid');
  const types = values.add(kind === undefined ? Object.values(typesOf).flat() : typesOf[kind], 'text[]');
  // The details of a student are of no one subject.
  const ofStudents = `r.subject_id is null and r.type = 'StudentCorrected' and exists (
    select from enrolments e where e.school_id = $1 and e.subject_id = ${of} and e.student_id = any(r.things))`;
  const conditions = ['r.cause_id is null', `(r.subject_id = ${of} or ${ofStudents})`, actsInSight(actor, values)];
  if (by !== undefined) conditions.push(`r.account_id = ${values.add(by, 'uuid')}`);
  const condition = conditions.join(' and ');
  const days: string[] = [];
  if (from !== undefined) days.push(`> ${lastWith(`at < ${values.add(from, 'timestamptz')}`)}`);
  if (to !== undefined) days.push(`<= ${lastWith(`at <= ${values.add(to, 'timestamptz')}`)}`);
  const above = before === undefined ? undefined : values.add(await positionOf(query, before), 'int8');
  const places = above === undefined ? days : [...days, `< ${above}`];
  const found =
    actor.role === 'teacher'
      ? newestOfSubject(of, { condition: `r.type = any(${types}) and ${condition}`, places, limit })
      : newestOf(types, { condition, places, limit });
  const rows = await query<RecordRow>(
    `${RECORD} where r.school_id = $1 and ${found} order by r.position desc limit ${limit}`,
    values.all,
    '',
  );
  const acts = Map.groupBy(rows, actOf);
  if (above !== undefined) {
    // Those whose newest entry is further up stand there.
    const ids = values.add(
      [...acts.values()].flatMap(([row]) => (row ? [row.actId] : [])),
      'uuid[]',
    );
    const streams = values.add([...acts.keys()], 'text[]');
    const matching = placed('r', { condition: `r.type = any(${types}) and ${condition}`, places: [...days, `>= ${above}`], limit });
    const earlier = await query<Pick<RecordRow, 'type' | 'stream' | 'actId'>>(
      `select r.type, r.stream, r.act_id as "actId" from record r
        where r.school_id = $1 and (r.act_id = any(${ids}) or r.stream = any(${streams})) and ${matching}`,
      values.all,
      '',
    );
    for (const row of earlier) acts.delete(actOf(row));
  }
  return { acts: [...acts.values()], isLast: rows.length < limit, end: rows.at(-1)?.eventId };
};

/** What is typed in one place is one act, however often it was saved meanwhile. */
const actOf = ({ type, stream, actId }: Pick<RecordRow, 'type' | 'stream' | 'actId'>): string => (type === 'MarksEntered' ? stream : actId);

/** Which rows `r` a reader is shown as changes: teachers their own, and the marks of the present students of their classes. */
const actsInSight = (actor: Actor, values: Values): string =>
  actor.role === 'teacher'
    ? `(r.account_id = ${values.add(actor.accountId, 'uuid')}
        or r.type = any(${values.add(typesOf.marks, 'text[]')}) and r.things && ${studentsIn(actor, values)})`
    : 'true';

/** With the entries that the filters, or the end of the page, have left out. */
const wholeActs = async (
  query: RunSql,
  acts: readonly (readonly RecordRow[])[],
  actor: Actor,
): Promise<readonly (readonly RecordRow[])[]> => {
  const values = new Values();
  const newest = acts.flatMap(([row]) => row ?? []);
  const [typed, others] = [newest.filter(isTyped), newest.filter((row) => !isTyped(row))];
  const ids = values.add(
    others.map(({ actId }) => actId),
    'uuid[]',
  );
  const streams = values.add(
    typed.map(({ stream }) => stream),
    'text[]',
  );
  const rows = await query<RecordRow>(
    `${RECORD} where r.school_id = $1 and (r.act_id = any(${ids}) or r.stream = any(${streams}) and r.type = 'MarksEntered')
        and ${actsInSight(actor, values)} order by r.position desc`,
    values.all,
    '',
  );
  const whole = Map.groupBy(rows, actOf);
  return acts.map((act) => (act[0] && whole.get(actOf(act[0]))) ?? act);
};

const isTyped = ({ type }: RecordRow): boolean => type === 'MarksEntered';

/** What is said about an act: an import rather than the set that it made. */
const weight = ({ type }: RecordRow): number =>
  ['SchoolYearBegun', 'StudentsImported', 'YearGroupDeleted', 'SetDeleted', 'YearGroupAdded', 'TeacherRemoved'].toReversed().indexOf(type);

const categoryOf = ({ stream }: Pick<RecordRow, 'stream'>): string => stream.slice(0, stream.indexOf('-'));
const kindOf = (row: RecordRow): Kind => CATEGORIES[categoryOf(row)] ?? 'structure';

type Turn = { readonly isUndone: boolean; /** the undo that stands */ readonly by: string | undefined };
type TurnRow = { readonly thing: string; readonly type: string; readonly actId: string; readonly position: string };

/** How acts stand now: whether one is undone, and by which act. */
const turnsOf = async (query: RunSql, rows: readonly RecordRow[]): Promise<(of: readonly RecordRow[]) => Turn> => {
  const turns = new Map<string, readonly TurnRow[]>();
  let asked = [...new Set(rows.flatMap(({ actId, commandId }) => [actId, commandId]))];
  while (asked.length > 0) {
    const found: readonly TurnRow[] = await query<TurnRow>(
      `select t.thing, r.type, r.act_id as "actId", r.position::text as position
         from unnest($2::uuid[]) of (thing)
         cross join lateral (select t.thing, t.position from record_things t where t.school_id = $1 and t.thing = of.thing) t
         join record r on r.school_id = $1 and r.position = t.position
        where r.cause_id = t.thing or r.type = any($3) order by r.position desc`,
      [asked, Object.keys(TURNS)],
    );
    for (const [thing, of] of Map.groupBy(found, (one) => one.thing)) turns.set(thing, of);
    asked = [...new Set(found.filter(isAct).map(({ actId }) => actId))].filter((id) => !turns.has(id) && !asked.includes(id));
  }
  const stands = (ids: readonly string[]): Turn => {
    const [newest, ...earlier] = ids
      .flatMap((id) => turns.get(id) ?? [])
      .toSorted((one, other) => Number(BigInt(other.position) - BigInt(one.position)));
    if (newest === undefined) return { isUndone: false, by: undefined };
    if (!isAct(newest)) return { isUndone: TURNS[newest.type] === true, by: undefined };
    const standing = [newest, ...earlier].find(({ actId }) => !ids.includes(actId) && !stands([actId]).isUndone);
    return { isUndone: standing !== undefined, by: standing?.actId };
  };
  return (of) => stands([...new Set(of.flatMap(({ actId, commandId }) => [actId, commandId]))]);
};

/** An undo that is an act of its own, and so is undone in its turn. */
const isAct = ({ type }: TurnRow): boolean => type === 'RosterCommandUndone' || !(type in TURNS);

const undoOf = (of: readonly RecordRow[], { isUndone, by }: Turn): RecentAct['undo'] => {
  // A log-in that was closed along with it is closed for good.
  const newest = of.find((row) => categoryOf(row) in CATEGORIES);
  if (!newest) return null;
  const { stream, commandId, actId, type } = newest;
  const id = idIn(stream);
  switch (categoryOf(newest)) {
    case 'roster':
    case 'subject':
      return isUndone && by === undefined ? null : { by: 'UndoAct', actId: by ?? actId };
    case 'entry':
      return { by: isUndone ? 'RedoCommand' : 'UndoCommand', entryId: id, commandIds: [...new Set(of.map((row) => row.commandId))] };
    case 'prior':
      return { by: isUndone ? 'RedoPriorScores' : 'UndoPriorScores', terminalExamId: id, commandId };
    case 'revision':
      return { by: isUndone ? 'RedoRevisionChange' : 'UndoRevisionChange', commandId };
    case 'assessment':
      if (type === 'QuestionsUploaded' || type === 'QuestionsEdited') return { by: 'UndoQuestions', testId: id, commandId };
      if (type === 'AssessmentDeleted') return { by: 'RestoreAssessment', testId: id };
      return type === 'AssessmentCreated' || type === 'AssessmentRestored' ? { by: 'DeleteAssessment', testId: id } : null;
    default:
      return null;
  }
};
