import { idIn, unlessForgotten } from '../../events/aggregate.ts';
import type { ReadEventOf, Recorded } from '../../events/codec/event.ts';
import type { PriorStatement, priorEvents } from '../../events/prior/prior.ts';
import { countingStatement } from '../../events/prior/prior.ts';
import type { staffEvents } from '../../events/accounts/staff.ts';
import { projection } from '../engine/projection.ts';
import { emptied } from '../engine/tables/personal.ts';
import type { Key, Row } from '../engine/tables/table.ts';
import { priorScores, priorUploads } from './tables.ts';

type PriorEvent = ReadEventOf<typeof priorEvents>;
type Event = PriorEvent | Extract<ReadEventOf<typeof staffEvents>, { type: 'StaffAccountForgotten' }>;
type Turn = Recorded<Extract<PriorEvent, { type: 'PriorScoresUndone' | 'PriorScoresRedone' }>>;
type Said = Recorded<Extract<PriorEvent, { type: 'PriorScoresUploaded' | 'PriorScoresEntered' }>>;

/** Scores of terminal exams with every statement about them, and the uploads that made these. */
export const priorProjection = projection<Event>()({
  name: 'prior',
  version: 1,
  tables: { priorScores, priorUploads },
  on: ['PriorScoresUploaded', 'PriorScoresEntered', 'PriorScoresUndone', 'PriorScoresRedone', 'StaffAccountForgotten'],

  async load(events, rows) {
    const entries = events.filter(isSaid);
    const turns = events.filter(isTurn);
    await rows.priorUploads.load([...entries.map(keyOfSaid), ...turns.map(keyOfTurned)]);
    const justSaid = new Map(entries.map((event) => [event.metadata.commandId, event.data.scores.map(({ studentId }) => studentId)]));
    const students = (event: Said | Turn): readonly string[] =>
      isSaid(event)
        ? event.data.scores.map(({ studentId }) => studentId)
        : (rows.priorUploads.get(keyOfTurned(event))?.student_ids ?? justSaid.get(event.data.commandId) ?? []);
    await rows.priorScores.load(
      [...entries, ...turns].flatMap((event) => students(event).map((studentId) => keyOfScore(event, studentId))),
    );
    await rows.priorUploads.loadWhere(
      'account_id',
      events.flatMap(({ type, data }) => (type === 'StaffAccountForgotten' ? [data.accountId] : [])),
    );
  },

  apply(event, rows) {
    switch (event.type) {
      case 'PriorScoresUploaded':
      case 'PriorScoresEntered': {
        const { commandId } = event.metadata;
        const { yearCompleted, scores } = event.data;
        for (const { studentId, score } of scores) {
          const key = keyOfScore(event, studentId);
          const statements = rows.priorScores.get(key)?.said ?? [];
          rows.priorScores.put(rowOf(key, [...statements, { commandId, yearCompleted, score, undone: false }]));
        }
        rows.priorUploads.put(uploadOf(event));
        break;
      }
      case 'PriorScoresUndone':
      case 'PriorScoresRedone': {
        const { commandId } = event.data;
        const undone = event.type === 'PriorScoresUndone';
        const upload = rows.priorUploads.get(keyOfTurned(event));
        if (!upload) break;
        for (const studentId of upload.student_ids) {
          const key = keyOfScore(event, studentId);
          const statements = rows.priorScores.get(key)?.said ?? [];
          rows.priorScores.put(
            rowOf(
              key,
              statements.map((one) => (one.commandId === commandId ? { ...one, undone } : one)),
            ),
          );
        }
        rows.priorUploads.put({ ...upload, undone });
        break;
      }
      case 'StaffAccountForgotten':
        for (const upload of rows.priorUploads.where('account_id', event.data.accountId))
          rows.priorUploads.put(emptied(priorUploads, upload));
        break;
    }
  },

  channels: (event) => (event.type === 'StaffAccountForgotten' ? [] : [`prior:${event.data.subjectId}`]),
});

const isSaid = (event: { readonly type: string }): event is Said =>
  event.type === 'PriorScoresUploaded' || event.type === 'PriorScoresEntered';
const isTurn = (event: { readonly type: string }): event is Turn =>
  event.type === 'PriorScoresUndone' || event.type === 'PriorScoresRedone';

const keyOfSaid = ({ metadata }: Said): Key<typeof priorUploads> => ({ school_id: metadata.schoolId, command_id: metadata.commandId });
const keyOfTurned = ({ metadata, data }: Turn): Key<typeof priorUploads> => ({ school_id: metadata.schoolId, command_id: data.commandId });
const keyOfScore = ({ metadata, stream }: Said | Turn, studentId: string): Key<typeof priorScores> => ({
  school_id: metadata.schoolId,
  terminal_exam_id: idIn(stream),
  student_id: studentId,
});

const rowOf = (key: Key<typeof priorScores>, statements: readonly PriorStatement[]): Row<typeof priorScores> => {
  const counts = countingStatement(statements);
  return { ...key, score: counts?.score ?? null, year_completed: counts?.yearCompleted ?? null, said: statements };
};

const uploadOf = (event: Said): Row<typeof priorUploads> => ({
  ...keyOfSaid(event),
  terminal_exam_id: idIn(event.stream),
  subject_id: event.data.subjectId,
  account_id: event.metadata.actor.accountId,
  position: event.position,
  at: event.metadata.at,
  kind: event.type === 'PriorScoresUploaded' ? 'file' : 'hand',
  file_name: event.type === 'PriorScoresUploaded' ? (unlessForgotten(event.data.about)?.fileName ?? null) : null,
  year_completed: event.data.yearCompleted,
  student_ids: event.data.scores.map(({ studentId }) => studentId),
  undone: false,
});
