import { zip } from './zip.ts';

/** A cell of a sheet. A text is text, whatever it begins with: it is never a formula. null: empty. */
export type Cell =
  | string
  | number
  | null
  | { readonly value: string | number | null; readonly fill?: Fill; readonly look?: 'head' | 'hundredths' };
export type Fill = 'green' | 'amber' | 'red';
export type Sheet = {
  readonly name: string;
  /** of the columns, in characters */
  readonly widths: readonly number[];
  readonly rows: readonly (readonly Cell[])[];
  /** rows and columns that stay in sight */
  readonly frozen?: { readonly rows: number; readonly columns: number };
};

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** An Excel file (Office Open XML) of these sheets. Their names are shortened, and made different, as Excel wants them. */
export const workbook = (sheets: readonly Sheet[]): Promise<Uint8Array<ArrayBuffer>> => {
  const names = sheetNames(sheets.map(({ name }) => name));
  const numbered = sheets.map((sheet, index) => ({ ...sheet, number: index + 1 }));
  const part = (number: number) => `worksheets/sheet${number}.xml`;
  return zip([
    {
      name: '[Content_Types].xml',
      text: xml(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${XLSX}.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${OFFICE}.styles+xml"/>${numbered
          .map(({ number }) => `<Override PartName="/xl/${part(number)}" ContentType="${OFFICE}.worksheet+xml"/>`)
          .join('')}</Types>`,
      ),
    },
    { name: '_rels/.rels', text: xml(relations([['officeDocument', 'xl/workbook.xml']])) },
    {
      name: 'xl/workbook.xml',
      text: xml(
        `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${numbered
          .map(({ number }, index) => `<sheet name="${escaped(names[index] ?? '')}" sheetId="${number}" r:id="r${number}"/>`)
          .join('')}</sheets></workbook>`,
      ),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: xml(relations([...numbered.map(({ number }): [string, string] => ['worksheet', part(number)]), ['styles', 'styles.xml']])),
    },
    { name: 'xl/styles.xml', text: xml(styles()) },
    ...numbered.map((sheet) => ({ name: `xl/${part(sheet.number)}`, text: xml(sheetXml(sheet)) })),
  ]);
};

const OFFICE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const xml = (text: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`;

const relations = (all: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(([type, target], index) => `<Relationship Id="r${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const sheetXml = ({ widths, rows, frozen }: Sheet): string => {
  const pane = frozen
    ? `<sheetViews><sheetView workbookViewId="0"><pane xSplit="${frozen.columns}" ySplit="${frozen.rows}" topLeftCell="${place(frozen.rows, frozen.columns)}" state="frozen"/></sheetView></sheetViews>`
    : '';
  const columns = widths.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('');
  const data = rows.map((cells, row) => `<row r="${row + 1}">${cells.map((cell, column) => cellXml(cell, row, column)).join('')}</row>`);
  return `<worksheet xmlns="${MAIN}">${pane}<cols>${columns}</cols><sheetData>${data.join('')}</sheetData></worksheet>`;
};

const cellXml = (cell: Cell, row: number, column: number): string => {
  const { value, fill, look } = typeof cell === 'object' && cell !== null ? cell : { value: cell, fill: undefined, look: undefined };
  const style = styleOf(fill, look, typeof value === 'string' && looksLikeFormula(value));
  if (value === null) return style === 0 ? '' : `<c r="${place(row, column)}" s="${style}"/>`;
  if (typeof value === 'number') return `<c r="${place(row, column)}" s="${style}"><v>${value}</v></c>`;
  return `<c r="${place(row, column)}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
};

/** 'B3' */
const place = (row: number, column: number): string => `${letters(column)}${row + 1}`;
const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCodePoint(65 + (column % 26));

/** Such a text is marked as text once more, so that it stays one when somebody edits it, or saves it as CSV and opens that. */
const looksLikeFormula = (text: string): boolean => /^\s*[=+\-@]/u.test(text);

const FILLS = ['green', 'amber', 'red'] as const;
const LOOKS = ['plain', 'head', 'hundredths', 'quoted'] as const;

/** The place among `styles`. */
const styleOf = (fill: Fill | undefined, look: 'head' | 'hundredths' | undefined, isQuoted: boolean): number =>
  (fill === undefined ? 0 : FILLS.indexOf(fill) + 1) * LOOKS.length + LOOKS.indexOf(isQuoted ? 'quoted' : (look ?? 'plain'));

/** The grounds of the bands (ui/tokens.css), on paper. */
const COLOURS: Readonly<Record<Fill, string>> = { green: 'FFCFE8B4', amber: 'FFFFE2A8', red: 'FFF9C9C1' };

const styles = (): string => {
  const solid = FILLS.map(
    (fill) => `<fill><patternFill patternType="solid"><fgColor rgb="${COLOURS[fill]}"/><bgColor indexed="64"/></patternFill></fill>`,
  );
  const formats = [undefined, ...FILLS].flatMap((fill, index) =>
    LOOKS.map(
      (look) =>
        `<xf xfId="0" numFmtId="${look === 'hundredths' ? 2 : 0}" fontId="${look === 'head' ? 1 : 0}" fillId="${fill === undefined ? 0 : index + 1}" borderId="0" applyFont="1" applyFill="1" applyNumberFormat="1"${look === 'quoted' ? ' quotePrefix="1"' : ''}/>`,
    ),
  );
  return `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="${2 + solid.length}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${solid.join('')}</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats.length}">${formats.join('')}</cellXfs></styleSheet>`;
};

/** Without what XML 1.0 cannot hold. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- these are the characters that may not be in the file
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** At most 31 characters, none of \ / ? * [ ] :, and no name twice. */
const sheetNames = (names: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replace(/[\\/?*[\]:]/gu, ' ').trim() || 'Sheet';
    for (let number = 1; ; number++) {
      const end = number === 1 ? '' : ` ${number}`;
      const one = plain.slice(0, 31 - end.length) + end;
      if (taken.has(one.toLowerCase())) continue;
      taken.add(one.toLowerCase());
      return one;
    }
  });
};
