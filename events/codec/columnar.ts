import { z } from 'zod';

const id = z.uuid().lowercase();

/** What a cell can be set to: a mark or total, or a state. `cleared` is a value of its own. */
export const markValue = z.union([z.int().min(0), z.enum(['cleared', 'sat', 'absent', 'exempt'])]);
export type MarkValue = z.infer<typeof markValue>;

export const markColumn = z.strictObject({
  cell: z.enum(['total', 'mark', 'attendance']),
  testId: id,
  questionId: id.optional(),
  /** the maximum that the marks of this column were checked against */
  max: z.int().min(0).optional(),
});

export const markColumns = z.strictObject({
  columns: z.array(markColumn),
  students: z.array(id),
  /** a row per student, a value per column; null: this cell is not changed */
  is: z.array(z.array(markValue.nullable())),
  /** what the author saw in each cell; null: it was empty; a list where it was contested */
  was: z.array(z.array(z.union([markValue, z.array(markValue)]).nullable()).nullable()).optional(),
});
export type MarkColumns = z.infer<typeof markColumns>;

export type MarkCell = { readonly kind: 'total' | 'mark' | 'attendance'; readonly testId: string; readonly questionId?: string };

/** One change of one cell. `was`: every value that its author saw there, none for an empty cell. */
export type MarkChange = {
  readonly studentId: string;
  readonly cell: MarkCell;
  readonly max?: number;
  readonly is: MarkValue;
  readonly was: readonly MarkValue[];
};
