import { idIn } from '../../events/aggregate.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import { typesOf } from '../../events/codec/event.ts';
import { revisionListsEvents } from '../../events/revision-lists/revision-lists.ts';
import { projection } from '../engine/projection.ts';
import { revisionHeaders, revisionQuestions } from './tables.ts';

type Event = ReadEventOf<typeof revisionListsEvents>;

/** Headers of revision lists, and the questions under them. */
export const revisionLists = projection<Event>()({
  name: 'revision_lists',
  version: 1,
  tables: { revisionHeaders, revisionQuestions },
  on: typesOf(revisionListsEvents),

  async load(events, rows) {
    await rows.revisionHeaders.loadWhere(
      'subject_id',
      events.map(({ stream }) => idIn(stream)),
    );
    await rows.revisionHeaders.load(
      events.flatMap(({ data, metadata }) => headersOf(data).map((headerId) => ({ school_id: metadata.schoolId, header_id: headerId }))),
    );
    await rows.revisionQuestions.load(
      events.flatMap(({ data, metadata }) =>
        'questions' in data ? data.questions.map(({ questionId }) => ({ school_id: metadata.schoolId, question_id: questionId })) : [],
      ),
    );
  },

  apply(event, rows) {
    const { schoolId: school_id } = event.metadata;
    const subject_id = idIn(event.stream);
    const change = (headerId: string, changes: { readonly name?: string; readonly deleted?: boolean }): void => {
      const row = rows.revisionHeaders.get({ school_id, header_id: headerId });
      if (row) rows.revisionHeaders.put({ ...row, ...changes });
    };
    const ordered = (headerIds: readonly string[]): void => {
      for (const row of rows.revisionHeaders.where('subject_id', subject_id)) {
        const place = headerIds.indexOf(row.header_id) + 1;
        rows.revisionHeaders.put({ ...row, place: place === 0 ? null : place });
      }
    };
    if ('questions' in event.data) {
      for (const { questionId, headerId, text } of event.data.questions) {
        rows.revisionQuestions.put({ school_id, question_id: questionId, subject_id, header_id: headerId, text });
      }
    }
    switch (event.type) {
      case 'RevisionHeaderAdded': {
        const { headerId, name } = event.data;
        const added = rows.revisionHeaders.where('subject_id', subject_id).length;
        rows.revisionHeaders.put({ school_id, header_id: headerId, subject_id, name, place: null, added, deleted: false });
        break;
      }
      case 'RevisionHeaderRenamed':
        change(event.data.headerId, { name: event.data.name });
        break;
      case 'RevisionHeaderDeleted':
      case 'RevisionHeaderRestored':
        change(event.data.headerId, { deleted: event.type === 'RevisionHeaderDeleted' });
        break;
      case 'RevisionHeadersOrdered':
        ordered(event.data.headerIds);
        break;
      case 'RevisionChangeUndone':
      case 'RevisionChangeRedone':
        for (const { headerId, ...changes } of event.data.headers) change(headerId, changes);
        if (event.data.order !== null) ordered(event.data.order);
        break;
      case 'RevisionListSaved':
      case 'RevisionListCleared':
        break;
    }
  },

  channels: (event) => [`structure:${idIn(event.stream)}`],
});

/** The headers that an event names one by one. */
const headersOf = (data: Event['data']): readonly string[] =>
  'headers' in data ? data.headers.map(({ headerId }) => headerId) : 'headerId' in data ? [data.headerId] : [];
