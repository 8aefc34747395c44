import type { Act } from '../../events/students/acts.ts';
import { isCovered, isFlaggedOtherwise, reading } from '../../events/students/acts.ts';
import type { Roster, RosterEvent, StudentPerson } from '../../events/students/roster.ts';
import type { RosterWithActs } from '../../events/students/roster-acts.ts';
import { detailsOf, OFF_ROLL } from '../../events/students/roster.ts';
import { toldApart } from '../contract/names.ts';
import type { SetFacts } from './students.facts.ts';
import { hasSet } from './student.rules.ts';

type Undone = Extract<RosterEvent, { type: 'RosterCommandUndone' }>['data'];
export type UndoPlan = {
  readonly lists: Omit<Undone, 'subjectId' | 'commandId'>;
  /** How many details, StudentIDs and places the undo changes or would change, were it not for what was changed since. */
  readonly flagged: number;
  /** A sentence for each that stays. */
  readonly inTheWay: readonly string[];
  /** Whether the act is known to be undone already. */
  readonly isDone: boolean;
};

/** What undoing an act does now: everything that it changed is as the remaining acts alone would have left it. */
export const undoPlan = (act: Act, subjectId: string, state: RosterWithActs, facts: SetFacts): UndoPlan => {
  const { students, histories } = state;
  const { of } = act;
  const undone = !act.undoes;
  const everybody = [...students.values()].flatMap(({ person }) => person ?? []);
  const nameOf = (studentId: string): string => {
    const person = students.get(studentId)?.person;
    return (person && toldApart([person], everybody)[0]?.name) ?? 'a student who was forgotten';
  };

  const details = [...act.details].flatMap((studentId) => {
    const history = histories.details.get(studentId);
    return history ? [{ studentId, history }] : [];
  });
  const numbers = [...act.numbers].flatMap((studentId) => {
    const history = histories.numbers.get(studentId);
    return history ? [{ studentId, history }] : [];
  });
  const places = [...act.places].flatMap(([key, { studentId, subjectId: of_ }]) => {
    const history = of_ === subjectId ? histories.places.get(key) : undefined;
    return history ? [{ studentId, history }] : [];
  });
  const flagging = <Part extends { readonly history: Parameters<typeof isFlaggedOtherwise>[0] }>(parts: readonly Part[]): Part[] =>
    parts.filter(({ history }) => isFlaggedOtherwise(history, of, undone));

  const taken = takenNumbers(
    flagging(numbers).map(({ studentId, history }) => ({ studentId, number: reading(history, of, undone) })),
    state,
  );
  const placed = flagging(places).map((part) => ({ ...part, from: reading(part.history).at, to: reading(part.history, of, undone).at }));
  const gone = placed.filter(({ from, to }) => to !== from && to !== undefined && to !== OFF_ROLL && !hasSet(facts, to));
  const goneOf = new Set(gone.map(({ studentId }) => studentId));

  const named = flagging(details);
  const numbered = flagging(numbers).filter(({ studentId }) => !taken.has(studentId));
  const moved = placed.filter(({ studentId }) => !goneOf.has(studentId));
  const people = new Map<string, StudentPerson>();
  const change = (studentId: string, to: Partial<StudentPerson>): void => {
    const person = people.get(studentId) ?? students.get(studentId)?.person;
    if (person) people.set(studentId, { ...person, ...to });
  };
  for (const { studentId, history } of named) change(studentId, reading(history, of, undone));
  for (const { studentId, history } of numbered) change(studentId, reading(history, of, undone));
  const others = moved.filter(({ from, to }) => from !== to);
  const covered = [...named, ...numbered, ...moved].filter(({ history }) => isCovered(history, of));
  return {
    lists: {
      placed: others.flatMap(({ studentId, to }) => (to === undefined || to === OFF_ROLL ? [] : [{ studentId, setId: to }])),
      offRolled: others.flatMap(({ studentId, to }) => (to === OFF_ROLL ? [studentId] : [])),
      removed: others.flatMap(({ studentId, to }) => (to === undefined ? [studentId] : [])),
      corrected: [...people].flatMap(([studentId, person]) =>
        isSame(person, students.get(studentId)?.person) ? [] : [{ studentId, person }],
      ),
      changedSince: [...new Set(covered.map(({ studentId }) => studentId))],
      kept: { places: [...goneOf], numbers: [...taken.keys()] },
    },
    flagged: named.length + numbered.length + moved.length,
    inTheWay: [
      ...[...taken].map(([studentId, { admissionNo, holder }]) =>
        holder === undefined
          ? `${nameOf(studentId)} and somebody else would both have the StudentID ${admissionNo}.`
          : `${nameOf(holder)} has the StudentID ${admissionNo} now, so ${nameOf(studentId)} cannot have it.`,
      ),
      ...gone.map(({ studentId }) => `The set that ${nameOf(studentId)} would be in is gone: restore it first.`),
    ],
    isDone: details.length + numbers.length + places.length > 0,
  };
};

const isSame = (one: StudentPerson, other: StudentPerson | undefined): boolean =>
  other !== undefined && one.admissionNo === other.admissionNo && one.tag === other.tag && detailsOf(one) === detailsOf(other);

type Taken = { readonly admissionNo: string; readonly holder: string | undefined };

/**
 * Who cannot have the StudentID that the undo would give them: somebody else has it who does not give theirs up in the same undo (two may
 * have exchanged theirs), or two would have the same (`holder` undefined).
 */
const takenNumbers = (
  wanted: readonly { readonly studentId: string; readonly number: Pick<StudentPerson, 'admissionNo' | 'tag'> }[],
  { students, byTag }: Roster,
): ReadonlyMap<string, Taken> => {
  const changing = new Map(
    wanted.flatMap(({ studentId, number }) => (students.get(studentId)?.person?.tag === number.tag ? [] : [[studentId, number] as const])),
  );
  const taken = new Map<string, Taken>();
  for (let before = -1; before !== changing.size;) {
    before = changing.size;
    const wantedBy = Map.groupBy(changing, ([, { tag }]) => tag);
    for (const [studentId, { admissionNo, tag }] of changing) {
      const holder = byTag.get(tag);
      const isHeld = holder !== undefined && holder !== studentId && !changing.has(holder);
      if (!isHeld && (wantedBy.get(tag)?.length ?? 0) < 2) continue;
      taken.set(studentId, { admissionNo, holder: isHeld ? holder : undefined });
    }
    for (const studentId of taken.keys()) changing.delete(studentId);
  }
  return taken;
};
