/** (m) Marks that are typed, pasted and submitted: the grid in a browser, its answer from the server, and a year group that submits at once. */
import { startProduct } from '../processes.ts';
import { signIn } from '../school.ts';
import type { Figure } from '../figures.ts';
import { type GridSizes, gridFigures } from './grid.ts';
import { asker } from './http.ts';
import { buildMarksSchool } from './school.ts';
import { sheetFigures } from './sheet.ts';
import { submissionFigures } from './submissions.ts';

/** `seconds`: within which the year group submits. */
export type MarksSizes = GridSizes & { readonly sheets: number; readonly seconds: number };

/** @param databaseUrl a migrated database with an empty log */
export const marksFigures = async (databaseUrl: string, dataDir: string, sizes: MarksSizes): Promise<Figure[]> => {
  const school = await buildMarksSchool(databaseUrl, dataDir);
  const product = await startProduct(databaseUrl, dataDir, { apps: true });
  try {
    const [leader, teacher] = [await signIn(product.url, school.leader), await signIn(product.url, school.teacher)];
    const asking = asker(product.url, leader);
    return [
      ...(await sheetFigures(asking, school, sizes.sheets)),
      ...(await submissionFigures(product.url, asking, school, sizes.seconds)),
      ...(await gridFigures({ url: product.url, leader, teacher }, school, sizes)),
    ];
  } finally {
    await product.stop();
  }
};
