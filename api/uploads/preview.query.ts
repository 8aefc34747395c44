import { Refused } from '../common/command.ts';
import { allowedMarks, allowedTotals, questionsOf } from './uploads.commands.ts';
import type { Plan } from './upload.rules.ts';
import { repeats } from './upload.rules.ts';
import type { CellChange, UploadPreview } from './uploads.contract.ts';
import { uploadsQueries } from './uploads.contract.ts';
import type { MarkFacts } from '../marks/marks.facts.ts';
import { marksFacts, totalsFacts } from '../marks/marks.facts.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { defineQuery } from '../common/query.ts';

/** What a totals file would change: the plan that UploadTotals carries out. */
export const previewTotals = defineQuery({
  ...uploadsQueries['preview-totals'],
  models: totalsFacts.models,
  async run(query, input, actor): Promise<UploadPreview> {
    const known = await totalsFacts.load(query, input, actor);
    return shown(allowedTotals(input, known, actor), known);
  },
});

export const previewMarks = defineQuery({
  ...uploadsQueries['preview-marks'],
  models: marksFacts.models,
  async run(query, input, actor): Promise<UploadPreview> {
    const known = await marksFacts.load(query, input, actor);
    return shown(allowedMarks(input, known, actor), known, questionsOf(known, input.testId));
  },
});

/** @throws ProblemError where the upload itself would be refused */
const shown = (plan: Plan | Refused, known: MarkFacts, questionIds: readonly string[] = []): UploadPreview => {
  if (plan instanceof Refused) throw new ProblemError(plan.code, plan.title, { errors: plan.errors });
  const counts: Record<CellChange, number> = { equal: 0, new: 0, replaced: 0, contested: 0 };
  const students = plan.students.map(({ student, cells }) => ({
    ...student,
    setName: known.sets.get(student.setId)?.name ?? '',
    cells: cells.map(({ column, is, now, change }) => {
      counts[change] += 1;
      return { column, is, now, change };
    }),
  }));
  return { students, unmatched: plan.unmatched, counts, repeats: repeats(plan, known), questionIds };
};
