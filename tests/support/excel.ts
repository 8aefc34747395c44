import { inflateRawSync } from 'node:zlib';
import { expect } from 'vitest';

/** What a cell of an Excel file holds. `colour`: of its letters; `fill`: 'CFE8B4'; `frame`: the colour of its border; `format`: of numbers, '@' is text; `formula`: it is one. */
export type ExcelCell = {
  readonly value: string | number | null;
  readonly fill: string | undefined;
  readonly frame: string | undefined;
  readonly colour: string | undefined;
  readonly format: string | undefined;
  readonly formula: boolean;
};

export type ExcelSheet = ReadonlyMap<string, ExcelCell>;

/** The sheets of an Excel file by name, their cells by place ('B3'). Reads the parts of the archive, without the library that wrote them. */
export const readExcel = (file: Uint8Array): ReadonlyMap<string, ExcelSheet> => {
  const parts = partsOf(file);
  const part = (name: string): string => parts.get(name) ?? '';
  const texts = [...part('xl/sharedStrings.xml').matchAll(/<si><t[^>]*>([^<]*)<\/t><\/si>/g)].map(([, text = '']) => unescaped(text));
  const styles = part('xl/styles.xml');
  const fills = [...styles.matchAll(/<fill>(.*?)<\/fill>/g)].map(([, fill = '']) => /<fgColor rgb="FF(\w+)"/.exec(fill)?.[1]);
  const frames = [...styles.matchAll(/<border>(.*?)<\/border>/g)].map(([, border = '']) => /<color rgb="FF(\w+)"/.exec(border)?.[1]);
  const fonts = [...styles.matchAll(/<font>(.*?)<\/font>/g)].map(([, font = '']) => /<color rgb="FF(\w+)"/.exec(font)?.[1]);
  const formats = new Map([...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]));
  const looks = [...(styles.split('<cellXfs')[1] ?? '').matchAll(/<xf [^>]*>/g)].map(([look]) => ({
    fill: fills[Number(/fillId="(\d+)"/.exec(look)?.[1] ?? 0)],
    frame: frames[Number(/borderId="(\d+)"/.exec(look)?.[1] ?? 0)],
    colour: fonts[Number(/fontId="(\d+)"/.exec(look)?.[1] ?? 0)],
    format: formats.get(/numFmtId="(\d+)"/.exec(look)?.[1]),
  }));
  const cellsOf = (sheet: string) =>
    new Map(
      [...sheet.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/g)].map(([, attributes = '', content = '']): [string, ExcelCell] => {
        const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
        const value = /<v>([^<]*)<\/v>/.exec(content)?.[1];
        return [
          attribute('r') ?? '',
          {
            value: value === undefined ? null : attribute('t') === 's' ? (texts[Number(value)] ?? `no text ${value}`) : Number(value),
            ...(looks[Number(attribute('s') ?? 0)] ?? { fill: undefined, frame: undefined, colour: undefined, format: undefined }),
            formula: content.includes('<f>'),
          },
        ];
      }),
    );
  const names = [...part('xl/workbook.xml').matchAll(/<sheet [^>]*\bname="([^"]+)"/g)].map(([, name = '']) => unescaped(name));
  return new Map(names.map((name, index) => [name, cellsOf(part(`xl/worksheets/sheet${index + 1}.xml`))]));
};

export const excelTitle = (file: Uint8Array): string | undefined =>
  /<dc:title>(.*)<\/dc:title>/u.exec(partsOf(file).get('docProps/core.xml') ?? '')?.[1];

/** Of each sheet the cells that its heads filter: 'A1:J5'; undefined: there are none. */
export const excelFilters = (file: Uint8Array): readonly (string | undefined)[] =>
  [...partsOf(file)]
    .filter(([name]) => name.startsWith('xl/worksheets/sheet'))
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([, xml]) => /<autoFilter ref="([^"]+)"/.exec(xml)?.[1]);

/** The cells of a sheet row by row, as far as they hold anything. */
export const rowsOf = (sheet: ExcelSheet | undefined): readonly (readonly ExcelCell[])[] => {
  const rows = new Map<string, ExcelCell[]>();
  for (const [place, cell] of sheet ?? []) {
    const number = place.replace(/^[A-Z]+/, '');
    rows.set(number, [...(rows.get(number) ?? []), cell]);
  }
  return [...rows.values()];
};

/** The row that holds this value. */
export const rowWith = (sheet: ExcelSheet | undefined, value: string): readonly ExcelCell[] =>
  rowsOf(sheet).find((cells) => cells.some((cell) => cell.value === value)) ?? [];

/** The parts of an archive, found by its directory, and checked against it. */
const partsOf = (file: Uint8Array): ReadonlyMap<string, string> => {
  const bytes = Buffer.from(file);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const parts = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, plain, length] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24), bytes.readUInt16LE(at + 28)];
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + length);
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const text = inflateRawSync(bytes.subarray(begin, begin + packed));
    expect([name, text.length]).toEqual([name, plain]);
    parts.set(name, text.toString());
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return parts;
};

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&');
