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

  float64(value: number): void {
    this.#makeRoom(8);
    this.#end = this.#buffer.writeDoubleBE(value, this.#end);
  }

  text(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): void {
    this.#makeRoom(text.length * MOST_BYTES);
    this.#end += this.#buffer.write(text, this.#end, encoding);
  }

  /** Writes the sixteen bytes of `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`; false if the text is not a uuid. */
  uuid(text: string): boolean {
    if (text.length !== 36) return false;
    this.#makeRoom(16);
    const buffer = this.#buffer;
    let end = this.#end;
    let seen = 0;
    for (let at = 0; at < 36; at += 2) {
      if (at === 8 || at === 13 || at === 18 || at === 23) at++;
      const high = text.charCodeAt(at);
      const low = text.charCodeAt(at + 1);
      const byte = (DIGITS[high & 0xff]! << 4) | DIGITS[low & 0xff]!;
      seen |= byte | high | low;
      buffer[end++] = byte;
    }
    this.#end = end;
    return seen <= 0xff;
  }

  /** Reserves room for the length of what follows until `end`. */
  begin(): number {
    this.int32(0);
    return this.#end;
  }

  end(start: number): void {
    this.#put32(start - 4, this.#end - start);
  }

  written(): Buffer {
    return this.#buffer.subarray(0, this.#end);
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

/** The value of each hexadecimal digit by its character code; a value above a byte for any other character. */
const DIGITS = Int32Array.from({ length: 256 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? 0x100 : digit;
});
