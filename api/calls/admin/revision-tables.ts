import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import { byOwnedRow } from './look-up.ts';
import { nothingToDo, step } from '../step.ts';
import type { Changed, Tables } from '../tables.ts';
import { byRow, table } from '../tables.ts';

/** Headers under another name. Their order and their subject stay. */
export const renameHeaders = byOwnedRow<Changed<{ RevHead: string; Num?: number | undefined; SubjectID?: string }>>(
  'header',
  ({ place, key: headerId, subjectId, values: { RevHead: name } }) =>
    name === undefined ? nothingToDo([[place, headerId]]) : step(place, 'RenameRevisionHeader', { subjectId, headerId, name }, headerId),
);

export const revisionTables: Tables = {
  RevLinks: table({
    behind: ['AddRevisionHeader', 'RenameRevisionHeader', 'DeleteRevisionHeader'],
    models: ['revision_lists'],
    key: 'RevLinkID',
    columns: z.strictObject({ RevHead: z.string(), Num: z.int().optional(), SubjectID: id }),
    differs:
      'A new header comes last, whatever its Num, and one that is there keeps its place. Questions of a header that is deleted stand under none.',
    add: byRow(({ place, values: { RevHead: name, SubjectID: subjectId } }) =>
      step(place, 'AddRevisionHeader', { subjectId, name }, ({ headerId }) => headerId),
    ),
    change: { RevLinkID: renameHeaders },
    remove: {
      RevLinkID: byOwnedRow('header', ({ place, key: headerId, subjectId }) =>
        step(place, 'DeleteRevisionHeader', { subjectId, headerId }, headerId),
      ),
    },
  }),
};
