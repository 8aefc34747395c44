import { writeUuid } from '../../../events/uuid.ts';

/** A growing byte buffer. Numbers are big-endian, as in PostgreSQL's protocol. */
export class Bytes {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #end = 0;

  int8(value: number): void {
    this.#makeRoom(1);
    this.#buffer[this.#end++] = value;
  }

  int16(value: number): void {
    this.#makeRoom(2);
    this.#buffer[this.#end++] = value >> 8;
    this.#buffer[this.#end++] = value;
  }

  int32(value: number): void {
    this.#makeRoom(4);
    this.#put32(this.#end, value);
    this.#end += 4;
  }

  int64(value: bigint): void {
    this.#makeRoom(8);
    this.#end = this.#buffer.writeBigInt64BE(value, this.#end);
  }

  /** The same for a safe integer: without a bigint, of which a batch would have thousands. */
  safeInt64(value: number): void {
    const high = Math.floor(value / 2 ** 32);
    this.int32(high);
    this.int32(value - high * 2 ** 32);
  }

  float64(value: number): void {
    this.#makeRoom(8);
    this.#end = this.#buffer.writeDoubleBE(value, this.#end);
  }

  text(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): void {
    this.#makeRoom(text.length * MOST_BYTES);
    this.#end += this.#buffer.write(text, this.#end, encoding);
  }

  /** Writes the sixteen bytes of a uuid; false if the text is none. */
  uuid(text: string): boolean {
    this.#makeRoom(16);
    const isUuid = writeUuid(text, this.#buffer, this.#end);
    this.#end += 16;
    return isUuid;
  }

  /** Reserves room for the length of what follows until `end`. */
  begin(): number {
    this.int32(0);
    return this.#end;
  }

  /** @param more that the length includes besides */
  end(start: number, more = 0): void {
    this.#put32(start - 4, this.#end - start + more);
  }

  written(): Buffer {
    return this.#buffer.subarray(0, this.#end);
  }

  /** Begins anew, in the room that it has. */
  clear(): void {
    this.#end = 0;
  }

  #put32(at: number, value: number): void {
    const buffer = this.#buffer;
    buffer[at] = value >> 24;
    buffer[at + 1] = value >> 16;
    buffer[at + 2] = value >> 8;
    buffer[at + 3] = value;
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#end + bytes));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}

/** of one UTF-16 code unit in UTF-8 */
const MOST_BYTES = 3;
