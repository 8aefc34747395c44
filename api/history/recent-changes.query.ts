import { idIn } from '../../events/aggregate.ts';
import { assessmentEvents } from '../../events/assessments/assessment.ts';
import { entryEvents } from '../../events/marks/entry.ts';
import { priorEvents } from '../../events/prior/prior.ts';
import { revisionListsEvents } from '../../events/revision-lists/revision-lists.ts';
import { subjectEvents } from '../../events/school/subject.ts';
import { rosterEvents } from '../../events/students/roster.ts';
import type { RunSql } from '../common/facts.ts';
import { defineQuery } from '../common/query.ts';
import type { changeKinds, RecentAct, RecentChanges } from './history.contract.ts';
import { historyQueries } from './history.contract.ts';
import type { RecordRow } from './history.query.ts';
import { entriesOf } from './history.query.ts';
import { pageOfActs } from './recent-acts.ts';
import { asSeenBy, turnsAllowed } from './recent-rights.ts';

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
/** The acts that changed a subject, newest first, with what takes each back, or brings it back; of a teacher their own, and those on marks of their classes. */
export const recentChanges = defineQuery({
  ...historyQueries['recent-changes'],
  models: ['record', 'accounts', 'structure', 'assessments', 'roster', 'revision_lists', 'results'],
  async run(query, asked, actor, _about, log, maySend): Promise<RecentChanges> {
    const types = asked.kind === undefined ? Object.values(typesOf).flat() : typesOf[asked.kind];
    const { acts: shown, next } = await pageOfActs(query, { ...asked, types }, actor);
    const told = shown.flatMap((act) => act.toSorted((one, other) => weight(other) - weight(one))[0] ?? []);
    const read = await log(told);
    const events = read.map(({ event }) => event);
    const entries = await entriesOf(query, told, await asSeenBy(query, actor, events));
    const turned = await turnsOf(query, shown.flat());
    const mayTurn = await turnsAllowed(query, actor, asked.subjectId, shown.flat(), maySend);
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
    return { acts, next };
  },
});

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
