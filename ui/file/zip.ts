/** A ZIP archive of texts, deflated by the browser. Without directories or dates: the same texts make the same bytes. */
export const zip = async (files: readonly { readonly name: string; readonly text: string }[]): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const [path, plain] = [new TextEncoder().encode(name), new TextEncoder().encode(text)];
    const packed = await deflated(plain);
    // Version 2.0, names in UTF-8, deflated, 1 January 1980.
    const common = [20, 0x08_00, 8, 0, 0x21].flatMap(two).concat([crcOf(plain), packed.length, plain.length].flatMap(four));
    const local = new Uint8Array([...four(0x04_03_4b_50), ...common, ...two(path.length), ...two(0)]);
    parts.push(local, path, packed);
    directory.push(
      new Uint8Array([
        ...four(0x02_01_4b_50),
        ...two(20),
        ...common,
        ...two(path.length),
        ...[0, 0, 0, 0].flatMap(two),
        ...four(0),
        ...four(offset),
      ]),
      path,
    );
    offset += local.length + path.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = [...four(0x06_05_4b_50), ...[0, 0, files.length, files.length].flatMap(two), ...four(size), ...four(offset), ...two(0)];
  return joined([...parts, ...directory, new Uint8Array(end)]);
};

const two = (value: number): number[] => [value & 255, (value >> 8) & 255];
const four = (value: number): number[] => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, (value >>> 24) & 255];

const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

const deflated = async (plain: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Blob([plain]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xed_b8_83_20 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});
const crcOf = (bytes: Uint8Array): number => {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
};
