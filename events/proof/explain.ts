import { eventTypes } from '../registry.ts';
import { schoolOf, type StreamEvent } from '../store/port.ts';
import type { Leaf, Ledger, Mark, ReadLog, School } from './evidence.ts';
import { leafHash, Tree } from './tree.ts';

/** What happened to a school's log, a sentence each. */
export const explain = async (school: School, events: ReadLog, ledger: Ledger | undefined): Promise<string[]> => {
  const heads = school.failed.filter(({ head }) => head !== undefined);
  const sentences = heads.length > 0 ? [headSentence(school, heads)] : [];
  const size = school.marks.findLast(({ head }) => head === undefined)?.size;
  if (!ledger || size === undefined) return sentences;

  const leaves = await ledger.leaves(school.name, size);
  if (!comesTo(leaves, heads))
    return [...sentences, `School ${school.name}: the ledger does not match this head either, so the changed event cannot be named.`];
  const changes = await changesIn(school, events, leaves);
  if (sentences.length + changes.length === 0) return [`School ${school.name}: the ledger was changed: it does not match its own root.`];
  return [
    ...sentences,
    ...changes.slice(0, MOST),
    ...(changes.length > MOST ? [`School ${school.name}: and ${changes.length - MOST} more.`] : []),
  ];
};

/** How many changes are named. */
const MOST = 20;

const headSentence = ({ name, tree, passed }: School, [first]: readonly Mark[]): string => {
  const { size = 0, head } = first ?? {};
  const before = passed?.head ? `, although it matches head ${passed.head.number} of ${passed.head.at} at ${passed.size} events` : '';
  return tree.size < size
    ? `School ${name}: head ${head?.number} of ${head?.at} was signed at ${size} events, but the log has ${tree.size}${before}.`
    : `School ${name}: the log does not match head ${head?.number} of ${head?.at} at ${size} events${before}.`;
};

/** Whether the leaves match the signed head, which the log does not. */
const comesTo = (leaves: readonly Leaf[], [head]: readonly Mark[]): boolean => {
  if (!head) return true;
  const tree = new Tree();
  for (const { hash } of leaves.slice(0, head.size)) tree.append(hash);
  return tree.size === head.size && tree.root() === head.root;
};

/** Compares the school's log with its leaves. Takes memory for as many ids as the school has events. */
const changesIn = async ({ name }: School, events: ReadLog, leaves: readonly Leaf[]): Promise<string[]> => {
  const { numbers, unknown, sentences } = await matched(name, events, leaves);
  const missing = new Set(leaves.keys());
  for (const number of numbers) missing.delete(number);
  // Events behind everything that the ledger knows are simply newer than it.
  for (const { event, place } of unknown.filter((one) => one.after < numbers.length || one.place < leaves.length)) {
    const leaf = missing.has(place) ? leaves[place] : undefined;
    if (leaf && leafHash({ ...event, id: leaf.id }) === leaf.hash) {
      missing.delete(place);
      sentences.push(`${nameOf(name, place, event)} had its id changed: it was ${leaf.id}.`);
    } else sentences.push(`${nameOf(name, place, event)} was inserted.`);
  }
  for (const number of missing) sentences.push(`School ${name}: event number ${number + 1}, ${leaves[number]?.id}, was removed.`);
  for (const number of outOfOrder(numbers))
    sentences.push(`School ${name}: event number ${number + 1}, ${leaves[number]?.id}, was reordered.`);
  return sentences;
};

type Matched = {
  /** The leaves' numbers of the events that the ledger knows, in the order of the log. */
  readonly numbers: number[];
  /** The other events. `place`: in the school's log; `after`: the number of known events before it. */
  readonly unknown: { readonly event: StreamEvent; readonly place: number; readonly after: number }[];
  /** One for each known event that was changed. Empty after the first ones, because finding the difference is costly. */
  readonly sentences: string[];
};

const matched = async (name: string, events: ReadLog, leaves: readonly Leaf[]): Promise<Matched> => {
  const numbers = new Map(leaves.map(({ id }, number) => [id, number]));
  const { numbers: known, unknown, sentences }: Matched = { numbers: [], unknown: [], sentences: [] };
  const origins = new Origins();
  for await (const portion of events()) {
    for (const event of portion) {
      const number = numbers.get(event.id);
      const leaf = number === undefined ? undefined : leaves[number];
      if (number === undefined || !leaf) {
        if (schoolOf(event.stream) === name) unknown.push({ event, place: known.length + unknown.length, after: known.length });
        continue;
      }
      known.push(number);
      if (leafHash(event) === leaf.hash) origins.passed(event);
      else sentences.push(sentences.length > MOST ? '' : `${nameOf(name, number, event)} ${origins.difference(event, leaf)}`);
    }
  }
  return { numbers: known, unknown, sentences };
};

const nameOf = (school: string, number: number, { type, id, stream, revision }: StreamEvent): string =>
  `School ${school}: event number ${number + 1}, ${type} ${id} (${stream}, revision ${revision}),`;

/** Finds out what a changed event was before: the variant that gives the hash of its leaf. */
class Origins {
  /** by stream: the revision that its next event had */
  readonly #next = new Map<string, bigint>();

  /** An unchanged event. */
  passed({ stream, revision }: Pick<StreamEvent, 'stream' | 'revision'>): void {
    this.#next.set(stream, revision + 1n);
  }

  difference(event: StreamEvent, { hash }: Leaf): string {
    const type = TYPES.find((candidate) => leafHash({ ...event, type: candidate }) === hash);
    if (type !== undefined) {
      this.passed(event);
      return `had its type changed: it was ${type}.`;
    }
    const streams = [...this.#next, [event.stream, 0n] as const];
    for (const [stream, revision] of streams) {
      if (leafHash({ ...event, stream, revision }) !== hash) continue;
      this.passed({ stream, revision });
      return `was moved: it was in ${stream} at revision ${revision}.`;
    }
    this.passed(event);
    return 'was changed.';
  }
}

const TYPES = [...Object.keys(eventTypes), 'Part'];

/**
 * The fewest numbers to remove so that the rest is ascending: what was moved, if everything else kept its order.
 * (All but a longest increasing subsequence, found by patience sorting.)
 */
export const outOfOrder = (numbers: readonly number[]): number[] => {
  /** by length: where the rising sequence of that length with the lowest end ends */
  const ends: number[] = [];
  const before: number[] = [];
  numbers.forEach((number, at) => {
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  });
  const inOrder = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) inOrder.add(at);
  return numbers.filter((_, at) => !inOrder.has(at));
};
