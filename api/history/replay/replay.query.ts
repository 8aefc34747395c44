import { idIn } from '../../../events/aggregate.ts';
import { typesOf } from '../../../events/codec/event.ts';
import { entryEvents } from '../../../events/marks/entry.ts';
import type { StoredCell as CellText } from '../../../events/marks/cell-text.ts';
import { decodeCell } from '../../../events/marks/cell-text.ts';
import { undoEvents } from '../../../events/marks/undo.ts';
import type { RecordedEvent } from '../../../events/registry.ts';
import type { RunSql } from '../../common/facts.ts';
import { theRow } from '../../common/facts.ts';
import type { ReadLog } from '../../common/query.ts';
import { defineQuery } from '../../common/query.ts';
import { Slice } from '../../common/yield-to-event-loop.ts';
import type { Author, OfCells, StoredCell } from './cell-steps.rules.ts';
import { cellSteps } from './cell-steps.rules.ts';
import type { Replay, ReplayStep } from './replay.contract.ts';
import { MOST_CELLS, replayQueries } from './replay.contract.ts';
import { newest } from './replay.formula.ts';
import type { TotalStep } from './year-steps.rules.ts';
import { YearSteps, yearTypes } from './year-steps.rules.ts';

/**
 * Every change of a year group's markbook. Who and what is in it, and what was undone, is read from the log; the marks from `results`, whose
 * cells keep all their changes, an assessment at a time.
 */
export const replay = defineQuery({
  ...replayQueries.replay,
  handsOut: ({ yearGroupId }) => ({ what: 'replay', as: 'screen', yearGroupId }),
  models: ['record', 'structure', 'roster', 'results', 'accounts'],
  async run(query, { yearGroupId }, _actor, _about, log): Promise<Replay> {
    const year = theRow(await query<Year>(YEAR, [yearGroupId]));
    const events = await eventsOf(query, log, year.subjectId);
    const known = new YearSteps(yearGroupId);
    for (const { event } of events) known.next(event, []);
    const timeline = new Map(events.map(({ author, event }): [bigint, InYear] => [author.position, { author, event, totals: [] }]));
    for (const { author, ...total } of await totalSteps(query, year.subjectId, events, known.lists.students)) {
      const there = timeline.get(author.position) ?? { author, event: undefined, totals: [] };
      there.totals.push(total);
      timeline.set(author.position, there);
    }
    const people = new Map<string, number>();
    const fold = new YearSteps(yearGroupId);
    const slice = new Slice();
    const steps: ReplayStep[] = [];
    for (const { author, event, totals } of [...timeline.values()].toSorted(inLog)) {
      const changes = fold.next(event, totals);
      await slice.yield();
      if (!changes) continue;
      const by = people.get(author.by) ?? people.size;
      people.set(author.by, by);
      steps.push({ eventId: author.eventId, type: author.type, at: author.at, by, ...changes });
    }
    const names = await query<{ people: (string | null)[]; students: Replay['students'] }>(NAMES, [
      [...people.keys()],
      fold.lists.students,
    ]);
    return {
      yearGroupId,
      ...yearOf(year),
      ...theRow(names),
      tests: [...fold.lists.tests],
      values: [...fold.lists.values],
      ...newest(steps, MOST_CELLS),
    };
  },
});

type Year = { readonly subjectId: string; readonly subject: string; readonly year: number };
type InYear = { readonly author: Author; readonly event: RecordedEvent | undefined; readonly totals: TotalStep[] };
type Read = { readonly author: Author; readonly event: RecordedEvent };

const yearOf = ({ subjectId, subject, year }: Year) => ({ year, subject: { subjectId, name: subject } });
const inLog = (one: { readonly author: Author }, other: { readonly author: Author }): number =>
  Number(one.author.position - other.author.position);

/** So many events are read from the log at a time. */
const PORTION = 200;

const eventsOf = async (query: RunSql, log: ReadLog, subjectId: string): Promise<readonly Read[]> => {
  const places = await query<Place>(OF_TYPES, [subjectId, [...yearTypes, ...typesOf(undoEvents)]]);
  const read: Read[] = [];
  for (let from = 0; from < places.length; from += PORTION) {
    const portion = places.slice(from, from + PORTION);
    for (const [index, { event }] of (await log(portion)).entries()) {
      const place = portion[index];
      if (place) read.push({ author: authorOf(place), event });
    }
  }
  return read;
};

type Place = Omit<Author, 'position'> & { readonly position: string; readonly commandId: string; readonly stream: string };
const authorOf = ({ position, eventId, type, at, by }: Place): Author => ({ position: BigInt(position), eventId, type, at, by });

/** The totals of these students in the subject's assessments, after each event that concerns them. */
const totalSteps = async (
  query: RunSql,
  subjectId: string,
  events: readonly Read[],
  students: readonly string[],
): Promise<readonly (TotalStep & { readonly author: Author })[]> => {
  const turns = new Map<string, (Author & { readonly isUndo: boolean })[]>();
  const papers = new Map<string, OfCells['papers'][number][]>();
  for (const { author, event } of events) {
    if (event.type === 'CommandUndone' || event.type === 'CommandRedone') {
      const of = turns.get(event.data.commandId) ?? [];
      turns.set(event.data.commandId, [...of, { ...author, isUndo: event.type === 'CommandUndone' }]);
    } else if (event.type === 'AssessmentCreated') papers.set(idIn(event.stream), []);
    else if (event.type === 'QuestionsUploaded' || event.type === 'QuestionsEdited')
      papers.get(idIn(event.stream))?.push({ ...author, questions: event.data.questions });
  }
  const steps: (TotalStep & { readonly author: Author })[] = [];
  const slice = new Slice();
  const saves = new Map<string, Author>();
  const tests = await query<{ testId: string }>(TESTS, [students]);
  for (const { testId } of tests) {
    const ofTest = papers.get(testId);
    if (!ofTest) continue;
    const cells = await query<CellRow>(CELLS, [testId, students]);
    const byStudent = new Map<string, StoredCell[]>();
    const unknown = new Set<string>();
    for (const { studentId, kind, itemId, cell } of cells) {
      const stored = { kind, itemId, changes: decodeCell(cell) };
      byStudent.set(studentId, [...(byStudent.get(studentId) ?? []), stored]);
      for (const { command } of stored.changes) if (!saves.has(command)) unknown.add(command);
    }
    for (const place of await query<Place>(OF_COMMANDS, [[...unknown], typesOf(entryEvents)])) saves.set(place.commandId, authorOf(place));
    for (const [studentId, stored] of byStudent) {
      for (const step of cellSteps(stored, { saves, turns, papers: ofTest })) steps.push({ studentId, testId, ...step });
      await slice.yield();
    }
  }
  for (const place of await query<Place>(SUBMITTED, [subjectId, students])) {
    const [, testId = '', studentId = ''] = place.stream.split('.');
    steps.push({ studentId, testId, total: null, author: authorOf(place) });
  }
  return steps;
};

type CellRow = { readonly studentId: string; readonly kind: string; readonly itemId: string; readonly cell: CellText };

const YEAR = `
select y.subject_id as "subjectId", s.name as subject, y.year
  from year_groups y join subjects s using (school_id, subject_id)
 where y.school_id = $1 and y.year_group_id = $2`;

const PLACE = `r.position::text as position, r.event_id as "eventId", r.type, to_json(r.at) #>> '{}' as at, r.account_id as by,
  r.command_id as "commandId", r.stream`;

const OF_TYPES = `
select ${PLACE} from record r
 where r.school_id = $1 and r.subject_id = $2 and r.type = any($3::text[]) order by r.position`;

const OF_COMMANDS = `
select ${PLACE} from record r
 where r.school_id = $1 and r.command_id = any($2::uuid[]) and r.type = any($3::text[])`;

/** The first of each student and assessment. */
const SUBMITTED = `
select distinct on (r.stream) ${PLACE} from record r
 where r.school_id = $1 and r.subject_id = $2 and r.type in ('SubmissionSaved', 'SubmissionConfirmed')
   and split_part(r.stream, '.', 3) = any($3::text[])
 order by r.stream, r.position`;

const TESTS = `
select distinct m.test_id as "testId" from markbook m where m.school_id = $1 and m.student_id = any($2::uuid[])`;

const CELLS = `
select r.student_id as "studentId", r.kind, r.item_id as "itemId", r.cell
  from results r where r.school_id = $1 and r.test_id = $2 and r.student_id = any($3::uuid[])`;

/** $2 accounts, $3 students: their names of today, in this order. */
const NAMES = `
select
  (select coalesce(json_agg(a.name order by o.place), '[]')
     from unnest($2::uuid[]) with ordinality o (id, place) left join accounts a on a.school_id = $1 and a.account_id = o.id) as people,
  (select coalesce(json_agg(json_build_object('studentId', o.id, 'name', s.name, 'admissionNo', s.admission_no) order by o.place), '[]')
     from unnest($3::uuid[]) with ordinality o (id, place) left join students s on s.school_id = $1 and s.student_id = o.id) as students`;
