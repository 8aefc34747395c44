/** Requests and responses about revision lists. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { nothing } from '../contract/answer.ts';
import { id, line } from '../contract/fields.ts';
import { MAX_LABEL, MAX_TOPIC } from '../contract/limits.ts';
import { VISIBLE } from '../contract/rules.ts';
import { HEADER_REQUIRED, MAX_HEADERS } from './revision-list.contract.ts';

const headerName = line.min(1, HEADER_REQUIRED).max(MAX_LABEL).regex(VISIBLE, HEADER_REQUIRED);
/** What the list shows instead of the topic; an empty one is none. */
const text = line
  .max(MAX_TOPIC)
  .nullable()
  .transform((typed) => (typed === '' ? null : typed));
const seen = z.strictObject({ headerId: id.nullable(), text: z.string().nullable() });

/** Questions that are not listed stay as they are. */
const saveRevisionList = z.strictObject({
  subjectId: id,
  testId: id,
  questions: z
    .array(
      z.strictObject({
        questionId: id,
        /** null: under none */
        headerId: id.nullable(),
        /** Instead of `headerId`: the header of this name, which is made if there is none. */
        header: headerName.optional(),
        text: text.default(null),
        /** What the author saw: refused if somebody has changed it since. Left out: there is no such check. */
        was: seen.optional(),
      }),
    )
    .max(200),
});
const clearRevisionList = z.strictObject({
  subjectId: id,
  testId: id,
  /** What the author saw of each question. */
  was: z
    .array(seen.extend({ questionId: id }))
    .max(200)
    .optional(),
});
const addRevisionHeader = z.strictObject({ subjectId: id, name: headerName });
const renameRevisionHeader = z.strictObject({
  subjectId: id,
  headerId: id,
  name: headerName,
  /** The name that the author saw. */
  was: z.string().optional(),
});
const deleteRevisionHeader = z.strictObject({
  subjectId: id,
  headerId: id,
  /** How many questions the author saw under it, in all assessments. */
  was: z.int().optional(),
});
const restoreRevisionHeader = z.strictObject({ subjectId: id, headerId: id });
/** Headers that are not listed, such as one that was added meanwhile, keep their order after those that are. */
const orderRevisionHeaders = z.strictObject({
  subjectId: id,
  headerIds: z.array(id).min(1).max(MAX_HEADERS),
  /** The order that the author saw. */
  was: z.array(id).max(MAX_HEADERS).optional(),
});
/** `commandId`: from the response to what is undone. */
const undoRevisionChange = z.strictObject({ subjectId: id, commandId: id });

const headers = z
  .array(
    z.object({
      headerId: id,
      name: z.string(),
      num: z.int().describe('Its place in the order; 99: it was never put in order.'),
      questions: z.int().describe('How many questions stand under it, in all assessments.'),
    }),
  )
  .describe('In their order.');

const dialog = z.object({
  headers,
  deleted: z
    .array(z.object({ headerId: id, name: z.string(), questions: z.int().describe('How many come back with it.') }))
    .describe('Headers that can be restored; the last one added first.'),
  tests: z
    .array(z.object({ testId: id, name: z.string(), questions: z.int(), listed: z.int().describe('Questions under a header.') }))
    .describe('The assessments of the subject, by name.'),
  test: z
    .object({
      testId: id,
      name: z.string(),
      questions: z.array(
        z.object({
          questionId: id,
          number: z.int(),
          topic: z.string(),
          marksAvailable: z.int(),
          headerId: id.nullable(),
          text: z.string().nullable().describe('Shown instead of the topic.'),
          suggested: z.string().nullable().describe('The name of a topic of a scheme of work that the question is mapped to.'),
        }),
      ),
    })
    .nullable()
    .describe('null: none is asked for.'),
});
export type RevisionListsPage = Answer<typeof dialog>;

const list = z
  .object({
    testId: id,
    name: z.string(),
    headers: z.array(
      z.object({
        headerId: id,
        name: z.string(),
        questions: z.array(
          z.object({
            questionId: id,
            number: z.int(),
            topic: z.string(),
            text: z.string().nullable().describe('Shown instead of the topic.'),
          }),
        ),
      }),
    ),
  })
  .describe('The headers in their order, each with at least one question, by number.');
export type RevisionList = Answer<typeof list>;

const undoable = { commandId: id.describe('For undoing it.') };
const changed = z.object({ changed: z.int().describe('How many questions are other than before.'), ...undoable });
const undo = z.object({
  changed: z.int().describe('How many questions and headers are other than before.'),
  kept: z.int().describe('Headers that stay because something was put under them since.'),
});

export const revisionListsCommands = {
  SaveRevisionList: { input: saveRevisionList, result: changed },
  ClearRevisionList: { input: clearRevisionList, result: changed },
  AddRevisionHeader: { input: addRevisionHeader, result: z.object({ headerId: id, ...undoable }) },
  RenameRevisionHeader: { input: renameRevisionHeader, result: z.object(undoable) },
  DeleteRevisionHeader: { input: deleteRevisionHeader, result: changed },
  RestoreRevisionHeader: { input: restoreRevisionHeader, result: nothing },
  OrderRevisionHeaders: { input: orderRevisionHeaders, result: z.object(undoable) },
  UndoRevisionChange: { input: undoRevisionChange, result: undo },
  RedoRevisionChange: { input: undoRevisionChange, result: undo },
};

export const revisionListsQueries = {
  'revision-lists': { input: z.object({ subjectId: id, testId: id.optional() }), answer: dialog },
  'revision-list': { input: z.object({ testId: id }), answer: list },
};
