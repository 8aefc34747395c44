import type { jsPDF } from 'jspdf';

/** The logo as in ui/frame/header/Logo.tsx, `side` mm wide. Dots on its way are mixed with the ground, because not every printer knows transparency. */
export const drawLogo = (pdf: jsPDF, x: number, y: number, side: number): void => {
  const unit = side / 32;
  const at = (left: number, top: number): [number, number] => [x + left * unit, y + top * unit];
  pdf.setFillColor(80, 144, 12).roundedRect(...at(1, 1), 30 * unit, 30 * unit, 7 * unit, 7 * unit, 'F');
  pdf
    .setDrawColor(255, 255, 255)
    .setLineWidth(3.2 * unit)
    .setLineCap('round')
    .setLineJoin('round');
  pdf.lines(
    [
      [3.3, 3.5],
      [9.7, -14],
    ],
    ...at(12.5, 20.5),
    [unit, unit],
    'S',
  );
  for (const [left, top, radius, grey] of [
    [9.2, 16.8, 1.7, 1],
    [6.4, 12.8, 1.25, 0.75],
    [5.2, 8.4, 0.9, 0.5],
  ] as const) {
    const [red, green, blue] = [80, 144, 12].map((ground) => Math.round(ground + (255 - ground) * grey));
    pdf.setFillColor(red ?? 255, green ?? 255, blue ?? 255).circle(...at(left, top), radius * unit, 'F');
  }
  pdf.setLineCap('butt').setLineJoin('miter');
};
