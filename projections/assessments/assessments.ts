import { idIn } from '../../events/aggregate.ts';
import { assessmentEvents, maxMark } from '../../events/assessments/assessment.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import { typesOf } from '../../events/codec/event.ts';
import { projection } from '../engine/projection.ts';
import { move } from '../engine/tables/row-set.ts';
import { deletedTests, questions, tests } from './tables.ts';

type Event = ReadEventOf<typeof assessmentEvents>;

/** Assessments and their questions. */
export const assessments = projection<Event>()({
  name: 'assessments',
  version: 3,
  tables: { tests, deletedTests, questions },
  on: typesOf(assessmentEvents),

  async load(events, rows) {
    const keys = events.map(({ metadata, stream }) => ({ school_id: metadata.schoolId, test_id: idIn(stream) }));
    await rows.tests.load(keys);
    await rows.deletedTests.load(keys);
    const papers = events.filter(({ type }) => type === 'QuestionsUploaded' || type === 'QuestionsEdited');
    await rows.questions.loadWhere(
      'test_id',
      papers.map(({ stream }) => idIn(stream)),
    );
    await rows.questions.load(
      papers.flatMap(({ metadata, data }) =>
        'questions' in data ? data.questions.map(({ questionId }) => ({ school_id: metadata.schoolId, question_id: questionId })) : [],
      ),
    );
  },

  apply(event, rows) {
    const key = { school_id: event.metadata.schoolId, test_id: idIn(event.stream) };
    switch (event.type) {
      case 'AssessmentCreated':
        rows.tests.put({ ...key, subject_id: event.data.subjectId, name: event.data.name, visible: false, max: null });
        break;
      case 'AssessmentRenamed':
        rows.tests.update(key, { name: event.data.name });
        break;
      case 'AssessmentShown':
      case 'AssessmentHidden':
        rows.tests.update(key, { visible: event.type === 'AssessmentShown' });
        break;
      case 'AssessmentDeleted':
        move(rows.tests, rows.deletedTests, key);
        break;
      case 'AssessmentRestored':
        move(rows.deletedTests, rows.tests, key);
        break;
      case 'QuestionsUploaded':
      case 'QuestionsEdited': {
        rows.tests.update(key, { max: event.data.questions.length === 0 ? null : maxMark(event.data.questions) });
        for (const question of rows.questions.where('test_id', key.test_id)) {
          if (!question.hidden) rows.questions.put({ ...question, hidden: true, removed_at: event.metadata.at });
        }
        for (const { questionId, number, topic, marksAvailable } of event.data.questions) {
          rows.questions.put({
            ...key,
            question_id: questionId,
            number,
            topic,
            marks_available: marksAvailable,
            hidden: false,
            removed_at: null,
          });
        }
        break;
      }
    }
  },

  channels: (event, rows) => {
    const key = { school_id: event.metadata.schoolId, test_id: idIn(event.stream) };
    const row = rows.tests.get(key) ?? rows.deletedTests.get(key);
    return row ? [`structure:${row.subject_id}`, `marks:${row.subject_id}`] : [];
  },
});
