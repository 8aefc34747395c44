import { z } from 'zod';
import { invalidInput } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { ownersOfKeys } from '../admin/look-up.ts';
import { renameHeaders } from '../admin/revision-tables.ts';
import type { Caller } from '../caller.ts';
import { step } from '../step.ts';
import type { Tables } from '../tables.ts';
import { table } from '../tables.ts';

/** Where a question stands; undefined: nobody has said. */
const standingOf = async (caller: Caller, questionId: string): Promise<{ headerId: string | null; text: string | null } | undefined> => {
  const [stands] = await caller.sql((query) =>
    query<{ headerId: string | null; text: string | null }>(
      `select h.header_id as "headerId", r.text from revision_questions r
         left join revision_headers h on h.school_id = $1 and h.header_id = r.header_id and not h.deleted
        where r.school_id = $1 and r.question_id = $2`,
      [questionId],
    ),
  );
  return stands;
};

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
    differs: 'RevID 0 is under no header. By TestID all questions of an assessment are put under none: with RevID 0 and RevAlt null.',
    change: {
      QuestionID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'question', rows);
        const steps = [];
        for (const { place, key: questionId, values } of rows) {
          const { subjectId, of } = owner(questionId);
          const stands = await standingOf(caller, questionId);
          const headerId = values.RevID === undefined ? (stands?.headerId ?? null) : values.RevID === 0 ? null : values.RevID;
          const text = values.RevAlt === undefined ? (stands?.text ?? null) : values.RevAlt;
          const questions = [{ questionId, headerId, text }];
          steps.push(step(place, 'SaveRevisionList', { subjectId, testId: of ?? '', questions }, questionId));
        }
        return steps;
      },
      TestID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'test', rows);
        return rows.map(({ place, key: testId, values: { RevID, RevAlt } }) => {
          if (typeof RevID === 'string') throw invalidInput('values.RevID', 'By TestID questions can only be put under no header.');
          if (typeof RevAlt === 'string' && RevAlt !== '')
            throw invalidInput('values.RevAlt', 'Questions of a test have no text in common.');
          return step(place, 'ClearRevisionList', { subjectId: owner(testId).subjectId, testId }, testId);
        });
      },
    },
  }),
};
