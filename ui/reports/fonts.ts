import type { jsPDF } from 'jspdf';

/** Fetches a font for letters beyond Latin-1, in base 64. */
export type FontReader = () => Promise<string>;

export type Lettering = {
  readonly family: string;
  /** The family has a bold face; without one, bold text is drawn with an outline. */
  readonly hasBold: boolean;
  /** Letters that no font of ours has: they are printed as boxes. */
  readonly unprintable: readonly string[];
};

/** Latin-1, and what the fonts of every PDF reader have besides. */
const IN_STANDARD_FONTS = /^[\s\u0020-\u007e\u00a0-\u00ff‘’‚“”„–—…•€™Œœ]*$/u;

/**
 * The font for a document with these texts. The standard fonts of PDF cost nothing, and only have Latin-1; for anything beyond, one is
 * embedded, with the letters that are used.
 */
export const letteringFor = async (pdf: jsPDF, texts: string, font: FontReader): Promise<Lettering> => {
  if (IN_STANDARD_FONTS.test(texts)) return { family: 'helvetica', hasBold: true, unprintable: [] };
  pdf.addFileToVFS('letters.ttf', await font());
  pdf.addFont('letters.ttf', 'letters', 'normal');
  const has = glyphsOf(pdf);
  const unprintable = [...new Set(texts)].filter((letter) => !/\s/u.test(letter) && !has(letter.codePointAt(0) ?? 0));
  return { family: 'letters', hasBold: false, unprintable };
};

/** The library keeps the font's table of letters to itself; its types do not name it. */
const glyphsOf = (pdf: jsPDF): ((codePoint: number) => boolean) => {
  const font: unknown = pdf.setFont('letters', 'normal').getFont();
  const { characterToGlyph } = (font as { metadata: { characterToGlyph: (codePoint: number) => number } }).metadata;
  const { metadata } = font as { metadata: object };
  return (codePoint) => characterToGlyph.call(metadata, codePoint) > 0;
};
