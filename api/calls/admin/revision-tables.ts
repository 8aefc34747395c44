import { z } from 'zod';
import { mayReadSubject } from '../../actor.ts';
import { ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { sameSubject } from './look-up.ts';
import { nothingToDo, step } from '../step.ts';
import type { Changed, Tables } from '../tables.ts';
import { table } from '../tables.ts';

/** The subject of a header of revision lists, deleted ones too. @throws ProblemError `not-found` */
export const subjectOfHeader = async (caller: Caller, headerIds: readonly string[]): Promise<(headerId: string) => string> => {
  const rows = await caller.sql((query) =>
    query<{ headerId: string; subjectId: string }>(
      `select header_id as "headerId", subject_id as "subjectId" from revision_headers where school_id = $1 and header_id = any($2::uuid[])`,
      [headerIds],
    ),
  );
  const found = new Map(rows.map(({ headerId, subjectId }) => [headerId, subjectId]));
  return (headerId) => {
    const subjectId = found.get(headerId);
    if (subjectId === undefined || !mayReadSubject(caller.actor, subjectId))
      throw new ProblemError('not-found', 'There is no such topic header.');
    return subjectId;
  };
};

/** Headers under another name. Their order and their subject stay. */
export const renameHeaders = async (
  caller: Caller,
  rows: readonly Changed<{ RevHead: string; Num?: number | undefined; SubjectID?: string }>[],
) => {
  const owner = await subjectOfHeader(
    caller,
    rows.map(({ key }) => key),
  );
  return rows.map(({ place, key: headerId, values: { RevHead: name, SubjectID } }) => {
    const subjectId = owner(headerId);
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
        const owner = await subjectOfHeader(
          caller,
          rows.map(({ key }) => key),
        );
        return rows.map(({ place, key: headerId }) =>
          step(place, 'DeleteRevisionHeader', { subjectId: owner(headerId), headerId }, headerId),
        );
      },
    },
  }),
};
