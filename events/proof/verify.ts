import { schoolOf } from '../store/port.ts';
import type { Ledger, ReadLog, Mark, School } from './evidence.ts';
import { explain } from './explain.ts';
import { type Head, headsInForce, isGenuine, type SignedHead } from './head.ts';
import { leafHash, Tree } from './tree.ts';

export type VerifyOptions = {
  /** The whole log in commit order; read again if something has to be explained. */
  readonly events: ReadLog;
  readonly heads: readonly SignedHead[];
  /** Ids of the present and former signing keys of this installation. */
  readonly keys: readonly string[];
  /** The ledger read model, if available. Only trusted as far as it matches a signed head. */
  readonly ledger?: Ledger | undefined;
};

export type Verification = {
  readonly events: number;
  readonly schools: number;
  /** signed heads that the log matches */
  readonly proven: number;
  /** events after the last proven head of their school */
  readonly unprotected: number;
  /** what does not match, a sentence each; none: the log is as it was when the heads were signed */
  readonly findings: readonly string[];
  /** who accepted the log although it did not match earlier heads, when and why, a sentence each */
  readonly accepted: readonly string[];
};

/**
 * Recomputes the tree of each school and compares it with the signed heads. If it differs, the leaves of the ledger show which event was
 * changed, provided that they match a signed head; otherwise the two heads are named between which it happened.
 */
export const verifyLog = async ({ events, heads, keys, ledger }: VerifyOptions): Promise<Verification> => {
  const doubts = heads.map((head) => wrongWith(head, keys));
  const believed = heads.filter((_, index) => doubts[index] === undefined);
  const unsigned = ((await ledger?.trees()) ?? []).map(({ school, size, root }) => ({ school, mark: { size, root } }));
  const { count, schools } = await heldAgainst(events, [...marksOf(believed), ...unsigned]);
  const findings = doubts.filter((doubt) => doubt !== undefined);
  for (const one of schools) if (one.failed.length > 0) findings.push(...(await explain(one, events, ledger)));
  return {
    events: count,
    schools: schools.filter(({ tree }) => tree.size > 0).length,
    proven: schools.reduce((sum, { marks, failed }) => sum + signed(marks) - signed(failed), 0),
    unprotected: schools.reduce((sum, { tree, passed }) => sum + tree.size - (passed?.size ?? 0), 0),
    findings,
    accepted: believed.flatMap((head) => acceptance(head, believed, heads)),
  };
};

/**
 * The heads by which an operator accepts the log: one for each school whose log does not match all of its heads. They keep the heads that
 * match and give up the others. Heads without a valid signature, or of an unknown key, are never kept, but are given up too: else nobody could go on whose
 * key was lost. `all`: also for each school that matches, which gives up
 * nothing: a new signing key begins with who made it, and why.
 */
export const acceptedHeads = async (
  { events, heads, keys, all = false }: Omit<VerifyOptions, 'ledger'> & { readonly all?: boolean },
  { at, by, reason }: { readonly at: string; readonly by: string; readonly reason: string },
): Promise<Head[]> => {
  const believed = heads.filter((head) => wrongWith(head, keys) === undefined);
  const doubted = headsInForce(heads).filter((head) => head.size > 0 && !believed.includes(head));
  const unsigned = doubted.map(({ school, size, root }) => ({ school, mark: { size, root } }));
  const { schools } = await heldAgainst(events, [...marksOf(believed), ...unsigned]);
  return schools
    .filter(({ marks, failed }) => failed.length > 0 || (all && marks.length > 0))
    .map(({ name, tree, passed }) => ({
      school: name,
      size: tree.size,
      root: tree.root(),
      at,
      accepted: { keeps: passed?.size ?? 0, by, reason },
    }));
};

type NamedMark = { readonly school: string; readonly mark: Mark };

/** What the log must match; an empty tree needs no check. */
const marksOf = (heads: readonly SignedHead[]): NamedMark[] =>
  headsInForce(heads)
    .filter(({ size }) => size > 0)
    .map((head) => ({ school: head.school, mark: { size: head.size, root: head.root, head } }));

/** Reads the log once and finds out for each school which marks it matches. */
const heldAgainst = async (events: ReadLog, marks: readonly NamedMark[]): Promise<{ count: number; schools: School[] }> => {
  const schools = new Map<string, School>();
  const schoolNamed = (name: string): School => {
    const school = schools.get(name) ?? { name, tree: new Tree(), marks: [], next: 0, failed: [], passed: undefined };
    schools.set(name, school);
    return school;
  };
  for (const { school, mark } of marks) schoolNamed(school).marks.push(mark);
  for (const one of schools.values()) one.marks.sort((before, after) => before.size - after.size);

  let count = 0;
  let stream: string | undefined;
  let school: School | undefined;
  for await (const portion of events()) {
    for (const event of portion) {
      // Consecutive events are often of the same stream.
      if (school === undefined || event.stream !== stream) school = schoolNamed(schoolOf((stream = event.stream)));
      school.tree.append(leafHash(event));
      if (school.marks[school.next]?.size === school.tree.size) compare(school);
    }
    count += portion.length;
  }
  for (const one of schools.values()) one.failed.push(...one.marks.slice(one.next));
  return { count, schools: [...schools.values()] };
};

/** `all`: also the heads that are not believed, because a former key is not known here. */
const acceptance = (
  { number, school, size, at, keyId, accepted }: SignedHead,
  believed: readonly SignedHead[],
  all: readonly SignedHead[],
): string[] => {
  if (!accepted) return [];
  const { keeps, by, reason } = accepted;
  const earlier = all.filter((head) => head.school === school && head.number < number);
  const former = new Set(earlier.map((head) => head.keyId));
  const isFirst = former.size > 0 && !earlier.some((head) => head.accepted && head.keyId === keyId);
  former.delete(keyId);
  const givenUp = believed.filter((head) => head.school === school && head.number < number && head.size > keeps);
  const newKey = isFirst && former.size > 0 ? ` This is the first by the key ${keyId}, in the place of ${[...former].join(', ')}.` : '';
  const replaced =
    newKey && givenUp.length === 0
      ? ''
      : ` It had been signed up to ${Math.max(keeps, ...givenUp.map((head) => head.size))} events, and the heads after ${keeps} events are given up.`;
  return [`School ${school}: on ${at} ${by} accepted the log with ${size} events (head ${number}): ${reason}.${newKey}${replaced}`];
};

const compare = (school: School): void => {
  const root = school.tree.root();
  for (let mark = school.marks[school.next]; mark?.size === school.tree.size; mark = school.marks[++school.next]) {
    if (mark.root !== root) school.failed.push(mark);
    else if (mark.head) school.passed = mark;
  }
};

const signed = (marks: readonly Mark[]): number => marks.filter(({ head }) => head !== undefined).length;

/** Why a head proves nothing; undefined: it is valid. */
const wrongWith = (head: SignedHead, keys: readonly string[]): string | undefined => {
  const { number, school, size, at, keyId } = head;
  const name = `Head ${number} (school ${school}, ${size} events, ${at})`;
  if (!isGenuine(head)) return `${name} has an invalid signature: it was edited.`;
  if (!keys.includes(keyId)) return `${name} is signed with the key ${keyId}, which is unknown here: if it is yours, add --key ${keyId}.`;
  return undefined;
};
