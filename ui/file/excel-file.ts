import type { Flags } from '#api/contract/flags';
import { isContested } from '#api/contract/flags';
import type { Cell as LibraryCell, CellObject, Feature } from 'write-excel-file/universal';
import writeExcelFile from 'write-excel-file/universal';
import { sanitizeTextContent } from 'write-excel-file/utility';

/** A cell of a sheet. A text is text, whatever it begins with: it is never a formula. null: empty. */
export type Cell =
  | string
  | number
  | null
  | { readonly value: string | number | null; readonly fill?: Fill; readonly mark?: Mark; readonly look?: Look };
/** `weak`: hundredths in grey, which say little */
type Look = 'head' | 'hundredths' | 'weak';
export type Fill = 'green' | 'amber' | 'red';
/** A frame around the cell: its value is contested, or wrong. */
export type Mark = 'contested' | 'wrong';
/** The frame of a cell with these flags. */
export const markOf = (flags: Flags): { readonly mark?: Mark } => {
  if (isContested(flags)) return { mark: 'contested' };
  return flags?.includes('above-maximum') ? { mark: 'wrong' } : {};
};
export type Sheet = {
  /** at most 31 characters, none of \ / ? * [ ] : */
  readonly name: string;
  /** of the columns, in characters */
  readonly widths: readonly number[];
  readonly rows: readonly (readonly Cell[])[];
  /** rows and columns that stay in sight */
  readonly frozen?: { readonly rows: number; readonly columns: number };
  /** The first row, of heads, filters those below it. */
  readonly filters?: boolean;
};

/** An Excel file of these sheets. `title`: as programs show it beside the name of the file. */
export const excelFile = (title: string, sheets: readonly Sheet[]): Promise<Blob> =>
  writeExcelFile(
    sheets.map(({ name, widths, rows, frozen }) => ({
      sheet: name,
      columns: widths.map((width) => ({ width })),
      ...(frozen && { stickyRowsCount: frozen.rows, stickyColumnsCount: frozen.columns }),
      data: rows.map((cells) => cells.map(libraryCell)),
    })),
    { fontFamily: 'Calibri', fontSize: 11, features: [filtersOf(sheets), propertiesOf(title)] },
  ).toBlob();

/** The library has none: the element comes right after the rows. */
const filtersOf = (sheets: readonly Sheet[]): Feature<Blob> => ({
  files: {
    transform: {
      'xl/worksheets/sheet{id}.xml': {
        transform(xml, { sheet }) {
          const one = sheets.find(({ name }) => name === sheet);
          if (!one?.filters) return xml;
          const last = `${columnName(one.widths.length - 1)}${one.rows.length}`;
          return xml.replace('</sheetData>', `</sheetData><autoFilter ref="A1:${last}"/>`);
        },
      },
    },
  },
});

/** Title and language, which the library does not write (ECMA-376-2, 11). */
const propertiesOf = (title: string): Feature<Blob> => ({
  files: {
    transform: {
      '[Content_Types].xml': {
        insert: () => `<Override PartName="/${PROPERTIES}" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>`,
      },
      '_rels/.rels': {
        insert: () => `<Relationship Id="properties" Type="${PACKAGE}/relationships/metadata/core-properties" Target="${PROPERTIES}"/>`,
      },
    },
    write: {
      files: () => ({
        [PROPERTIES]: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${sanitizeTextContent(title)}</dc:title><dc:creator>Marktrail</dc:creator><dc:language>en-GB</dc:language></cp:coreProperties>`,
      }),
    },
  },
});

const PROPERTIES = 'docProps/core.xml';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** 0: 'A', 26: 'AA' */
const columnName = (column: number): string =>
  (column < 26 ? '' : columnName(Math.floor(column / 26) - 1)) + String.fromCodePoint(65 + (column % 26));

const libraryCell = (cell: Cell): LibraryCell => {
  if (cell === null || typeof cell !== 'object') return cell === null ? null : contentOf(cell);
  const { value, fill, mark, look } = cell;
  if (value === null && !mark) return null;
  return {
    ...(value === null ? { value: '', type: String } : contentOf(value)),
    ...(fill && { backgroundColor: COLOURS[fill] }),
    ...(mark && { borderStyle: 'medium' as const, borderColor: MARKS[mark] }),
    ...(look && LOOKS[look]),
  };
};

/** What looks like a formula or a number has the format of texts, so that it stays one when somebody edits it. */
const contentOf = (value: string | number): CellObject => {
  if (typeof value === 'number') return { value, type: Number };
  return { value: withoutInherited(value), type: String, ...(/^\s*[=+\-@\d]/u.test(value) && { format: '@' }) };
};

/** The library looks texts up in a plain object, where 'constructor' and its like are always found. */
const withoutInherited = (text: string): string => (text in {} ? `${text} ` : text);

/** The grounds of the bands (ui/tokens.css), on paper. */
const COLOURS: Readonly<Record<Fill, string>> = { green: '#CFE8B4', amber: '#FFE2A8', red: '#F9C9C1' };
/** The colours in which contested and wrong marks are shown. */
const MARKS: Readonly<Record<Mark, string>> = { contested: '#0B57D0', wrong: '#B3261E' };
const LOOKS: Readonly<Record<Look, CellObject>> = {
  head: { fontWeight: 'bold' },
  hundredths: { format: '0.00' },
  weak: { format: '0.00', textColor: '#5F6368', fontStyle: 'italic' },
};
