/**
 * Commands whose events are too large for one append: the data of the largest is written first, in `Part` events of the same stream, and
 * then the events themselves, in one append as always. Until those are written, nothing has happened.
 */
import type { NewEvent, RecordedEvent, StreamId } from '../store/port.ts';
import { MAX_APPEND_WEIGHT, weightOf } from '../store/check-append.ts';
import type { Metadata } from './event.ts';
import { partId } from './ids.ts';
import { toText } from './json.ts';

/** The type of part events: they have no meaning of their own, and are skipped when decoding. */
export const PART = 'Part';

/** Identifies a part: of the text of the closing event `event`, in an attempt of a command. Numbers count through the attempt, from 0. */
export type PartMark = { readonly commandId: string; readonly attempt: number; readonly number: number; readonly event: string };

/** `EventStore.read` */
export type ReadStream = (stream: StreamId, from: bigint) => AsyncIterable<RecordedEvent>;

/**
 * The mark of a part; undefined for any other event. A fold keeps the highest attempt of each command: one with parts but no closing event
 * in its stream goes on with the next attempt.
 */
export const partOf = (recorded: RecordedEvent): PartMark | undefined => {
  if (recorded.type !== PART) return undefined;
  const { commandId, part } = JSON.parse(recorded.metadata) as PartMetadata;
  return { commandId, ...part };
};

/**
 * The appends that a command's events take: one, unless they weigh more than `most`. Each expects the revision of the one before:
 *
 *     let expected = revision;
 *     for (const append of split(events, attempt)) expected = (await store.append(stream, append, expected)).revision;
 *
 * - `OutcomeUnknown`: repeat that append, the same ids at the same revision.
 * - `WrongExpectedRevision`: a foreign event came between, and the attempt is void. Fold and decide again, and split with the next attempt.
 * - `EventIdTaken`: another process finished the same command. Fold again: it is there.
 * - After a restart the fold tells the highest attempt (`partOf`): never continue one whose texts are no longer in memory.
 */
export const split = (events: readonly NewEvent[], attempt = 1, most = MAX_APPEND_WEIGHT): NewEvent[][] => {
  const outside = tooLarge(events, most);
  if (outside.size === 0) return [[...events]];
  const parts: NewEvent[] = [];
  const lastPart = new Map<NewEvent, { count: number; end: number }>();
  for (const event of outside) {
    const chunks = cut(event, attempt, most);
    for (const chunk of chunks) parts.push(partEvent(event, attempt, parts.length, chunk));
    lastPart.set(event, { count: chunks.length, end: parts.length });
  }
  const closing = events.map((event, index): NewEvent => {
    const parted = lastPart.get(event);
    if (parted === undefined) return event;
    const back = parts.length - parted.end + index;
    const reference = { attempt, count: parted.count, ...(back === 0 ? {} : { back }) };
    return { ...event, data: ELSEWHERE, metadata: toText({ ...parse(event.metadata), parts: reference }) };
  });
  return packed(parts, closing, most);
};

/** The parts that a closing event refers to are not before it in the stream. */
export class PartsBroken extends Error {
  override readonly name = 'PartsBroken';
  constructor(closing: RecordedEvent, reason: string) {
    super(`the parts of ${closing.type} ${closing.id} (${closing.stream}, revision ${closing.revision}) ${reason}`);
  }
}

/**
 * The data text of a closing event, read back from its parts.
 *
 * @throws PartsBroken
 */
export const joined = async (
  closing: RecordedEvent,
  { commandId, parts }: Pick<Metadata, 'commandId'> & { readonly parts: NonNullable<Metadata['parts']> },
  readStream: ReadStream,
): Promise<string> => {
  const first = closing.revision - BigInt((parts.back ?? 0) + parts.count);
  const chunks: Buffer[] = [];
  let number: number | undefined;
  for await (const recorded of readStream(closing.stream, first)) {
    const mark = partOf(recorded);
    if (mark === undefined) throw new PartsBroken(closing, `are interrupted by ${recorded.type} at revision ${recorded.revision}`);
    if (
      mark.commandId !== commandId ||
      mark.attempt !== parts.attempt ||
      mark.event !== closing.id ||
      mark.number !== (number ?? mark.number)
    ) {
      throw new PartsBroken(closing, `are mixed with others at revision ${recorded.revision}`);
    }
    number = mark.number + 1;
    chunks.push(Buffer.from((JSON.parse(recorded.data) as { text: string }).text, 'base64'));
    if (chunks.length === parts.count) return Buffer.concat(chunks).toString('utf8');
  }
  throw new PartsBroken(closing, `are ${chunks.length} of ${parts.count}`);
};

/** The data of an event whose data is in parts. */
const ELSEWHERE = '{}';

type PartMetadata = Metadata & { readonly part: Omit<PartMark, 'commandId'> };

const parse = (metadata: string): Metadata => JSON.parse(metadata) as Metadata;

/** The largest events, until the others fit into one append; in their order. */
const tooLarge = (events: readonly NewEvent[], most: number): Set<NewEvent> => {
  let rest = events.reduce((sum, event) => sum + weightOf(event), 0);
  const largest = rest <= most ? [] : [...events].sort((one, other) => weightOf(other) - weightOf(one));
  const out = new Set<NewEvent>();
  for (const event of largest) {
    if (rest <= most) break;
    out.add(event);
    rest += weightOf({ ...event, data: ELSEWHERE }) - weightOf(event);
  }
  return new Set(events.filter((event) => out.has(event)));
};

const textOfPart = (chunk: string): string => `{"text":"${chunk}"}`;

/** In base64, because a cut may split a character; each chunk fills an append. */
const cut = (event: NewEvent, attempt: number, most: number): string[] => {
  const bytes = Buffer.from(event.data, 'utf8');
  const room = Math.floor((most - weightOf(partEvent(event, attempt, MOST_PARTS, ''))) / 4) * 3;
  const chunks: string[] = [];
  for (let from = 0; from < bytes.length; from += room) chunks.push(bytes.toString('base64', from, Math.min(from + room, bytes.length)));
  return chunks;
};
/** More parts than there can be: reserves room for the digits of a part's number. */
const MOST_PARTS = 1_000_000;

const partEvent = (closing: NewEvent, attempt: number, number: number, chunk: string): NewEvent => {
  const metadata = parse(closing.metadata);
  const data = textOfPart(chunk);
  const part: PartMetadata = { ...metadata, schemaVersion: 1, part: { attempt, number, event: closing.id } };
  return { id: partId(metadata.commandId, attempt, number, data), type: PART, data, metadata: toText(part) };
};

/** As few appends as the order allows; the closing events stay together, with the last parts if there is room. */
const packed = (parts: readonly NewEvent[], closing: readonly NewEvent[], most: number): NewEvent[][] => {
  const appends: NewEvent[][] = [];
  let room = 0;
  for (const unit of [...parts.map((part) => [part]), closing]) {
    const weight = unit.reduce((sum, event) => sum + weightOf(event), 0);
    const last = appends.at(-1);
    if (last !== undefined && weight <= room) {
      last.push(...unit);
      room -= weight;
    } else {
      appends.push([...unit]);
      room = most - weight;
    }
  }
  return appends;
};
