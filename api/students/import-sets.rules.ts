/** Which sets a file of students means, and whom of those who are not in it. */
import type { z } from 'zod';
import { OFF_ROLL } from '../../events/students/roster.ts';
import type { Refused } from '../common/command.ts';
import { refuse } from '../common/command.ts';
import { isAmong, sameName } from '../contract/names.ts';
import { isOffRoll, OFF_ROLL_NAME } from './off-roll.contract.ts';
import type { importStudents } from './students.contract.ts';
import type { SetFacts } from './students.facts.ts';

type Input = Pick<z.output<typeof importStudents>, 'sets' | 'make'>;

/** What a name of a set in the file means. */
export type MeantSet = {
  readonly name: string;
  /** or OFF_ROLL; undefined: no such set */
  readonly setId: string | undefined;
  readonly called: string;
  /** It was said to mean a set that is not there. */
  readonly isGone: boolean;
};

/** The set that its author has said, whatever it is called by now, else the one that is called so. */
export const meantSet = (name: string, { sets: said, make }: Input, sets: SetFacts['sets']): MeantSet => {
  const one = said.find((set) => set.name === name) ?? said.find((set) => sameName(set.name, name));
  const offRoll = one ? one.setId === OFF_ROLL : isOffRoll(name);
  if (offRoll) return { name, setId: OFF_ROLL, called: OFF_ROLL_NAME, isGone: false };
  const is = sets.find(({ setId }) => setId === one?.setId);
  const isGone = one !== undefined && !is && !make.some(({ names }) => isAmong(names, name));
  const set = is ?? (isGone ? undefined : sets.find((other) => sameName(other.name, name)));
  return { name, setId: set?.setId, called: set?.name ?? one?.called ?? name, isGone };
};

/** Nothing goes anywhere else because a set is gone. */
export const goneSince = (meant: readonly MeantSet[]): Refused | undefined => {
  const gone = meant.filter(({ isGone }) => isGone).map(({ called }) => called);
  if (gone.length === 0) return undefined;
  const sets = gone.length === 1 ? `The set ${gone.join()} was` : `The sets ${gone.join(', ')} were`;
  return refuse('precondition-failed', `${sets} deleted since this preview. Nothing was stored: choose where these students go.`);
};

/** Sets that are not called any more what the preview called them. */
export const renamedSince = ({ sets: said }: Input, sets: SetFacts['sets']): { was: string; is: string }[] =>
  said.flatMap(({ setId, called }) => {
    const is = sets.find((set) => set.setId === setId)?.name;
    return called === undefined || is === undefined || called === is ? [] : [{ was: called, is }];
  });

/** Where somebody is: in a set, in OFF_ROLL, or nowhere. */
type Place = string | undefined;

export type OthersMeant = {
  /** Year groups, or OFF_ROLL. */
  readonly ids: readonly string[];
  /** The year group of a place, or OFF_ROLL. */
  readonly groupOf: (place: Place) => string | undefined;
  /** Whether somebody there is meant. */
  readonly isMeant: (place: Place) => boolean;
};

type Places = {
  /** Where the file puts its students, and where they are. */
  readonly into: readonly Place[];
  readonly from: readonly Place[];
  /** Where those are who are not in the file. */
  readonly left: readonly Place[];
};

/**
 * Whom a file means of those who are not in it: as its author says, else those in the year groups of its sets, and in those most of whose
 * students it has. So a file that moves a year group up is about whom it leaves behind, and one with a student of another year group is not
 * about that one.
 */
export const othersMeant = (said: readonly string[] | undefined, sets: SetFacts['sets'], { into, from, left }: Places): OthersMeant => {
  const yearGroups = new Map(sets.map(({ setId, yearGroupId }) => [setId, yearGroupId]));
  // Whose set was deleted at that very moment is off roll, as every list has it.
  const groupOf = (place: Place) => (place === undefined || yearGroups.has(place) ? yearGroups.get(place ?? '') : OFF_ROLL);
  const counts = (places: readonly Place[]): ReadonlyMap<string | undefined, number> =>
    new Map([...Map.groupBy(places, groupOf)].map(([group, students]) => [group, students.length]));
  const [here, elsewhere] = [counts(from), counts(left)];
  const most = [...here].flatMap(([group, count]) => (group !== OFF_ROLL && count > (elsewhere.get(group) ?? 0) ? [group] : []));
  const ids = said ?? [...new Set([...counts(into).keys(), ...most])].filter((group) => group !== undefined);
  return { ids, groupOf, isMeant: (place) => ids.includes(groupOf(place) ?? '') };
};
