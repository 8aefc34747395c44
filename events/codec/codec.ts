import type { NewEvent, RecordedEvent, StreamId } from '../store/port.ts';
import type { CommandMetadata, EventOf, EventTypes, ReadEventOf, Recorded } from './event.ts';

export interface Codec<Types extends EventTypes> {
  encode(
    schoolId: string,
    events: readonly EventOf<Types>[],
    ids: readonly string[],
    metadata: CommandMetadata,
  ): Promise<NewEvent[]>;
  decode(recorded: readonly RecordedEvent[], readStream: ReadStream): Promise<Recorded<ReadEventOf<Types>>[]>;
}

/** `EventStore.read` */
export type ReadStream = (stream: StreamId, from: bigint) => AsyncIterable<RecordedEvent>;
