import { z } from 'zod';
import { invalidInput } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { byOwnedRow, ownersOfKeys } from '../admin/look-up.ts';
import { renameHeaders } from '../admin/revision-tables.ts';
import { step } from '../step.ts';
import type { Tables } from '../tables.ts';
import { table } from '../tables.ts';

/** How questions stand under the headers of revision lists. */
export const revisionTables: Tables = {
  RevLinks: table({
    behind: ['RenameRevisionHeader'],
    models: ['revision_lists'],
    key: 'RevLinkID',
    columns: z.strictObject({ RevHead: z.string() }),
    change: { RevLinkID: renameHeaders },
  }),

  QuestionData: table({
    behind: ['SaveRevisionList', 'ClearRevisionList'],
    models: ['revision_lists'],
    key: 'QuestionID',
    columns: z.strictObject({ RevID: z.union([id, z.literal(0)]).nullable(), RevAlt: z.string().nullable() }),
    differs:
      'RevID 0 is under no header, and without a RevAlt. By TestID all questions of an assessment are put under none: with RevID 0 and RevAlt null.',
    change: {
      QuestionID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'question', rows);
        const steps = [];
        for (const { place, key: questionId, values } of rows) {
          const { subjectId, of } = owner(questionId);
          const testId = of ?? '';
          const { test } = await caller.query('revision-lists', { subjectId, testId });
          const stands = test?.questions.find((one) => one.questionId === questionId);
          const headerId = values.RevID === undefined ? (stands?.headerId ?? null) : values.RevID === 0 ? null : values.RevID;
          const text = values.RevAlt === undefined ? (stands?.text ?? null) : values.RevAlt;
          const questions = [{ questionId, headerId, text }];
          steps.push(step(place, 'SaveRevisionList', { subjectId, testId, questions }, questionId));
        }
        return steps;
      },
      TestID: byOwnedRow('test', ({ place, key: testId, subjectId, values: { RevID, RevAlt } }) => {
        if (typeof RevID === 'string') throw invalidInput('values.RevID', 'By TestID questions can only be put under no header.');
        if (typeof RevAlt === 'string' && RevAlt !== '') throw invalidInput('values.RevAlt', 'Questions of a test have no text in common.');
        return step(place, 'ClearRevisionList', { subjectId, testId }, testId);
      }),
    },
  }),
};
