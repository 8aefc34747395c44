import { changesOf, renaming, words, wordsOrNone } from '../change.ts';
import type { Change, Description, Descriptions } from '../sentence.ts';
import { count, things } from '../sentence.ts';
import type { Placement, revisionListsEvents } from './revision-lists.ts';

export const revisionListsSentences: Descriptions<typeof revisionListsEvents> = {
  RevisionHeaderAdded: {
    says: ({ data }) => [`added the header ${data.name} to the revision lists`],
    changes: ({ data }) => changesOf('header', data.headerId, { Name: words(data.name) }),
  },
  RevisionHeaderRenamed: renaming('renamed a header of the revision lists to ', 'header', ({ data }) => data.headerId),
  RevisionHeadersOrdered: {
    says: ({ id }) => ['changed the order of the revision list headers of ', things('subject', id)],
    changes: ({ id, data }) => changesOf('subject', id, { 'Revision list headers': things('header', ...data.headerIds) }),
  },
  RevisionHeaderDeleted: {
    says: ({ data }) => ['deleted the header ', things('header', data.headerId), ' of the revision lists'],
    changes: ({ data }) => [
      ...changesOf('header', data.headerId, { Deleted: true }),
      ...data.questionIds.flatMap((questionId) => changesOf('question', questionId, { Header: null })),
    ],
  },
  RevisionHeaderRestored: {
    says: ({ data }) => ['restored the header ', things('header', data.headerId), ' of the revision lists'],
    changes: ({ data }) => [
      ...changesOf('header', data.headerId, { Deleted: false }),
      ...data.questionIds.flatMap((questionId) => changesOf('question', questionId, { Header: things('header', data.headerId) })),
    ],
  },
  RevisionListSaved: {
    says: ({ data }) => [`changed ${count(data.questions.length, 'question')} of the revision list of `, things('assessment', data.testId)],
    changes: ({ data }) => data.questions.flatMap(placeOf),
  },
  RevisionListCleared: {
    says: ({ data }) => ['cleared the revision list of ', things('assessment', data.testId)],
    changes: ({ data }) => data.questions.flatMap(placeOf),
  },
  RevisionChangeUndone: turned('undid'),
  RevisionChangeRedone: turned('redid'),
};

type Placed = Placement & { readonly questionId: string };
type Turned = {
  readonly questions: readonly Placed[];
  readonly headers: readonly { readonly headerId: string; readonly name: string; readonly deleted: boolean }[];
  readonly order: readonly string[] | null;
};

function turned(verb: string): Description<{ readonly data: Turned }> {
  return {
    says: ({ id }) => [`${verb} a change of the revision lists of `, things('subject', id)],
    changes: ({ id, data: { questions, headers, order } }) => [
      ...headers.flatMap(({ headerId, name, deleted }) => changesOf('header', headerId, { Name: words(name), Deleted: deleted })),
      ...(order ? changesOf('subject', id, { 'Revision list headers': things('header', ...order) }) : []),
      ...questions.flatMap(placeOf),
    ],
  };
}

/** Without a text of its own the list shows the question's topic. */
function placeOf({ questionId, headerId, text }: Placed): readonly Change[] {
  return changesOf('question', questionId, {
    Header: headerId === null ? null : things('header', headerId),
    'Text in the revision list': wordsOrNone(text),
  });
}
