/** Texts as pictures, in the fonts of the device. px, `SCALE` of which are a pt. */

/** `left` and `top`: from where the text begins on its baseline to the corner of the picture. */
export type Picture = { readonly canvas: HTMLCanvasElement; readonly left: number; readonly top: number };
type Look = { readonly size: number; readonly bold: boolean; readonly colour: readonly number[] };

/** 288 dots per inch. */
export const SCALE = 4;

/** Letters of scripts that are read from the right. */
export const FROM_THE_RIGHT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

/** Whether there is something to draw on. */
export const canDraw = (): boolean => typeof CanvasRenderingContext2D !== 'undefined';

export const pictureOf = (text: string, look: Look): Picture => {
  const canvas = document.createElement('canvas');
  const { actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } = measured(text, look);
  const [left, top] = [-Math.ceil(actualBoundingBoxLeft) - 1, -Math.ceil(actualBoundingBoxAscent) - 1];
  canvas.width = Math.ceil(actualBoundingBoxRight) + 1 - left;
  canvas.height = Math.ceil(actualBoundingBoxDescent) + 1 - top;
  penOn(canvas, text, look).fillText(text, -left, -top);
  return { canvas, left, top };
};

/** How far from its beginning the next text begins. */
export const advanceOf = (text: string, look: Look): number => measured(text, look).width;

const measured = (text: string, look: Look): TextMetrics =>
  penOn((sheet ??= document.createElement('canvas')), text, look).measureText(text);
let sheet: HTMLCanvasElement | undefined;

const penOn = (canvas: HTMLCanvasElement, text: string, { size, bold, colour }: Look): CanvasRenderingContext2D => {
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('There is no canvas to draw on.');
  pen.font = `${bold ? 'bold ' : ''}${size * SCALE}px Helvetica, Arial, sans-serif`;
  pen.direction = FROM_THE_RIGHT.test(/\p{L}/u.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';
  pen.textAlign = 'left';
  pen.fillStyle = `rgb(${colour.join(' ')})`;
  return pen;
};
