import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { ownersOfKeys, sameSubject } from './look-up.ts';
import { nothingToDo, step } from '../step.ts';
import type { Changed, Tables } from '../tables.ts';
import { table } from '../tables.ts';

/** Headers under another name. Their order and their subject stay. */
export const renameHeaders = async (
  caller: Caller,
  rows: readonly Changed<{ RevHead: string; Num?: number | undefined; SubjectID?: string }>[],
) => {
  const owner = await ownersOfKeys(caller, 'header', rows);
  return rows.map(({ place, key: headerId, values: { RevHead: name, SubjectID } }) => {
    const { subjectId } = owner(headerId);
    sameSubject(SubjectID, subjectId, 'SubjectID');
    return name === undefined
      ? nothingToDo([[place, headerId]])
      : step(place, 'RenameRevisionHeader', { subjectId, headerId, name }, headerId);
  });
};

export const revisionTables: Tables = {
  RevLinks: table({
    behind: ['AddRevisionHeader', 'RenameRevisionHeader', 'DeleteRevisionHeader'],
    models: ['revision_lists'],
    key: 'RevLinkID',
    columns: z.strictObject({ RevHead: z.string(), Num: z.int().optional(), SubjectID: id }),
    differs:
      'A new header comes last, whatever its Num, and one that is there keeps its place. Questions of a header that is deleted stand under none.',
    add: async (_caller, rows) =>
      rows.map(({ place, values: { RevHead: name, SubjectID: subjectId } }) =>
        step(place, 'AddRevisionHeader', { subjectId, name }, ({ headerId }) => headerId),
      ),
    change: { RevLinkID: renameHeaders },
    remove: {
      RevLinkID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'header', rows);
        return rows.map(({ place, key: headerId }) =>
          step(place, 'DeleteRevisionHeader', { subjectId: owner(headerId).subjectId, headerId }, headerId),
        );
      },
    },
  }),
};
