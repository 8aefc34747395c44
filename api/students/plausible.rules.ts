/** What looks wrong about the students of a file: names that do not fit their StudentIDs, garbled names, damaged IDs. Refuses nothing. */
import { MOST_CASES } from './plausible.contract.ts';
import type { StudentDoubts } from './plausible.contract.ts';
import { DamagedIds, INVISIBLE } from './identity.formula.ts';
import { fitsName, isGarbled } from './person-names.formula.ts';
import { admissionKey } from './students.facts.ts';

/** A row of a file, or a student. */
export type Named = { readonly admissionNo: string; readonly name: string };

type Rows = {
  /** The rows of students whom we know, each with its student, and whether anything of it would be stored. */
  readonly identified: readonly { readonly row: Named; readonly student: Named; readonly isStored: boolean }[];
  /** The rows whose StudentID is nobody's. */
  readonly unknown: readonly Named[];
  /** Students whom an unknown row may mean. Those whom another row of the file names are left out. */
  readonly candidates: readonly Named[];
};

/** As previews have it. */
export const asPart = <Doubts extends object>(doubts: Doubts): { readonly doubts?: Doubts } =>
  Object.keys(doubts).length > 0 ? { doubts } : {};

/** Counts of each kind, and the first cases of it; a kind without a case is absent. */
export const studentDoubts = ({ identified, unknown, candidates }: Rows): StudentDoubts => {
  const named = new Set(identified.map(({ student }) => admissionKey(student.admissionNo)));
  const ids = new DamagedIds(candidates.filter(({ admissionNo }) => !named.has(admissionKey(admissionNo))));
  const names = cases(
    identified.flatMap(({ row, student, isStored }) =>
      !isStored || fitsName(row.name, student.name) ? [] : [{ admissionNo: student.admissionNo, inFile: row.name, ours: student.name }],
    ),
  );
  const garbled = cases(
    [...identified.map(({ row }) => row), ...unknown].flatMap(({ admissionNo, name }) =>
      isGarbled(name) ? [{ admissionNo: shownId(admissionNo), inFile: name }] : [],
    ),
  );
  const damaged = cases(unknown.flatMap((row) => damagedId(row, ids) ?? []));
  return { ...(names && { names }), ...(garbled && { garbled }), ...(damaged && { ids: damaged }) };
};

/** Cases of a kind as answers have them; undefined: there is none. */
export const cases = <Case>(all: readonly Case[]): { readonly count: number; readonly first: readonly Case[] } | undefined =>
  all.length === 0 ? undefined : { count: all.length, first: all.slice(0, MOST_CASES) };

/* StudentIDs */

/** The damage of a row's ID that is nobody's, and whom it means; undefined: it does not look damaged. */
const damagedId = ({ admissionNo, name }: Named, ids: DamagedIds<Named>) => {
  const found = ids.find(admissionNo);
  if (!found) return undefined;
  const byName = found.fitting.length > 1 && name !== '' ? found.fitting.filter((student) => fitsName(name, student.name)) : found.fitting;
  const [means, another] = byName;
  return {
    inFile: shownId(admissionNo.trim()),
    name,
    damage: found.damage,
    means: means && !another ? { admissionNo: shownId(means.admissionNo), name: means.name } : null,
  };
};

/** 'M0001[U+200C]' */
const shownId = (id: string): string =>
  id.replace(new RegExp(INVISIBLE, 'gu'), (letter) => `[U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
