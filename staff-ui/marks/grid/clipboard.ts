/**
 * A block of cells as text: tabs between cells, line feeds between rows, and quotes around a cell that holds one of them or a quote. Excel,
 * LibreOffice and Google Sheets write and read it.
 */

/** Rows of cells, as they were copied: rows may differ in length. */
export const blockIn = (text: string): readonly (readonly string[])[] => {
  const lines = text.replaceAll(/\r\n?/gu, '\n');
  const whole = lines.endsWith('\n') ? lines.slice(0, -1) : lines;
  const rows: string[][] = [];
  let row: string[] = [];
  let place = 0;
  for (;;) {
    const { cell, next } = whole[place] === '"' ? quoted(whole, place) : plain(whole, place);
    row.push(cell);
    if (whole[next] === '\t') place = next + 1;
    else {
      rows.push(row);
      row = [];
      if (next >= whole.length) return rows;
      place = next + 1;
    }
  }
};

/** Ends with a line feed, as Excel's does, so that a last empty row is one. */
export const clipboardText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => (/["\t\n\r]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t')}\n`).join('');

type Read = { readonly cell: string; readonly next: number };

const plain = (text: string, from: number): Read => {
  let next = from;
  while (next < text.length && text[next] !== '\t' && text[next] !== '\n') next++;
  return { cell: text.slice(from, next), next };
};

/** A quote that is not closed, or not at the end of a cell, is part of a plain text. */
const quoted = (text: string, from: number): Read => {
  let cell = '';
  let next = from + 1;
  while (next < text.length) {
    if (text[next] !== '"') cell += text[next++];
    else if (text[next + 1] === '"') {
      cell += '"';
      next += 2;
    } else {
      const after = text[next + 1];
      return after === undefined || after === '\t' || after === '\n' ? { cell, next: next + 1 } : plain(text, from);
    }
  }
  return plain(text, from);
};
