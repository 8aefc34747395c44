import { schoolOf } from '../store/school-of.ts';
import type { Ledger, ReadLog, Mark, School } from './evidence.ts';
import { explain } from './explain.ts';
import { isGenuine, type SignedHead } from './head.ts';
import { leafHash } from './leaf.ts';
import { Tree } from './tree.ts';

export type VerifyOptions = {
  /** The whole log in commit order; asked for again where something has to be explained. */
  readonly events: ReadLog;
  readonly heads: readonly SignedHead[];
  /** Ids of the keys that this installation signs with, or has signed with. */
  readonly keys: readonly string[];
  /** What the product keeps beside the log, where it can be asked. Believed only as far as it comes to a signed head. */
  readonly ledger?: Ledger | undefined;
};

export type Verification = {
  readonly events: number;
  readonly schools: number;
  /** signed heads that the log gives again */
  readonly proven: number;
  /** events after the last proven head of their school */
  readonly unprotected: number;
  /** what does not fit, a sentence each; none: the log is what it was when the heads were signed */
  readonly findings: readonly string[];
};

/**
 * Computes the tree of each school anew and compares it with the signed heads. Where it differs, the leaves of the ledger say which event
 * was changed, if they come to a signed head themselves; else the two heads are named between which it happened.
 */
export const verifyLog = async ({ events, heads, keys, ledger }: VerifyOptions): Promise<Verification> => {
  const findings: string[] = [];
  const schools = new Map<string, School>();
  const schoolNamed = (name: string): School => {
    const school = schools.get(name) ?? { name, tree: new Tree(), marks: [], next: 0, failed: [], passed: undefined };
    schools.set(name, school);
    return school;
  };

  for (const head of heads) {
    const wrong = wrongWith(head, keys);
    if (wrong === undefined) schoolNamed(head.school).marks.push({ size: head.size, root: head.root, head });
    else findings.push(wrong);
  }
  for (const { school, size, root } of (await ledger?.trees()) ?? []) schoolNamed(school).marks.push({ size, root });
  for (const { marks } of schools.values()) marks.sort((one, other) => one.size - other.size);

  let count = 0;
  let stream: string | undefined;
  let school: School | undefined;
  for await (const portion of events()) {
    for (const event of portion) {
      // Neighbours are often of one stream.
      if (school === undefined || event.stream !== stream) school = schoolNamed(schoolOf((stream = event.stream)));
      school.tree.append(leafHash(event));
      if (school.marks[school.next]?.size === school.tree.size) compare(school);
    }
    count += portion.length;
  }

  for (const one of schools.values()) {
    one.failed.push(...one.marks.slice(one.next));
    if (one.failed.length > 0) findings.push(...(await explain(one, events, ledger)));
  }
  const all = [...schools.values()];
  return {
    events: count,
    schools: all.filter(({ tree }) => tree.size > 0).length,
    proven: all.reduce((sum, { marks, failed }) => sum + signed(marks) - signed(failed), 0),
    unprotected: all.reduce((sum, { tree, passed }) => sum + tree.size - (passed?.size ?? 0), 0),
    findings,
  };
};

const compare = (school: School): void => {
  const root = school.tree.root();
  for (let mark = school.marks[school.next]; mark?.size === school.tree.size; mark = school.marks[++school.next]) {
    if (mark.root !== root) school.failed.push(mark);
    else if (mark.head) school.passed = mark;
  }
};

const signed = (marks: readonly Mark[]): number => marks.filter(({ head }) => head !== undefined).length;

/** A head that proves nothing. */
const wrongWith = (head: SignedHead, keys: readonly string[]): string | undefined => {
  const { number, school, size, at, keyId } = head;
  const name = `Head ${number} (school ${school}, ${size} events, ${at})`;
  if (!isGenuine(head)) return `${name} does not carry its signature: it was edited.`;
  if (!keys.includes(keyId))
    return `${name} is signed with the key ${keyId}, which is not known here: if it is one of yours, name it with --key ${keyId}.`;
  return undefined;
};
