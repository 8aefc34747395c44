import { z } from 'zod';
import { invalidInput } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import type { Step } from '../step.ts';
import { entry, nothingToDo, step } from '../step.ts';
import type { Removed, Tables } from '../tables.ts';
import { table } from '../tables.ts';
import type { Kind } from './look-up.ts';
import { madeBy, ownersOf, ownersOfKeys, partsOf, sameSubject } from './look-up.ts';

const text = z.string();
const NOT_TO_ANOTHER = 'It cannot move to another assessment or scheme of work.';

const topicsOf = (schemeId: string) => ({ schemeId, save: [], remove: [] });
const questionsOf = (testId: string) => ({ testId, save: [], remove: [] });

/** Parts of schemes or assessments, which `without` takes away. */
const removing =
  (kind: Kind, without: (row: Removed, holder: string) => Step) =>
  async (caller: Caller, rows: readonly Removed[]): Promise<readonly Step[]> => {
    const owner = await ownersOfKeys(caller, kind, rows);
    return rows.map((row) => without(row, owner(row.key).of ?? ''));
  };

/** All parts of a scheme or assessment. */
const removingAll =
  (kind: 'scheme' | 'test', without: (row: Removed, parts: string[]) => Step) =>
  async (caller: Caller, rows: readonly Removed[]): Promise<readonly Step[]> => {
    const holders = rows.map(({ key }) => key);
    await ownersOf(caller, kind, holders);
    const parts = await partsOf(caller, kind, holders);
    return rows.map((row) => {
      const remove = parts.get(row.key) ?? [];
      return remove.length === 0 ? nothingToDo([[row.place, row.key]]) : without(row, [...remove]);
    });
  };

/** Schemes of work with their topics, assessments with their questions. */
export const paperTables: Tables = {
  SoW: table({
    behind: ['AddScheme', 'ChangeScheme', 'DeleteScheme'],
    models: ['structure'],
    key: 'SoWId',
    columns: z.strictObject({ SoWName: text, SubjectID: id }),
    unique: ['SoWName', 'SubjectID'],
    add: async (_caller, rows) =>
      rows.map(({ place, values: { SoWName: name, SubjectID: subjectId } }) =>
        step(place, 'AddScheme', { subjectId, name }, ({ schemeId }) => schemeId),
      ),
    change: {
      SoWId: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'scheme', rows);
        return rows.map(({ place, key: schemeId, values: { SoWName: name, SubjectID } }) => {
          sameSubject(SubjectID, owner(schemeId).subjectId, 'SubjectID');
          return step(place, 'ChangeScheme', { schemeId, ...(name === undefined ? {} : { name }) }, schemeId);
        });
      },
    },
    remove: {
      SoWId: async (_caller, rows) => rows.map(({ place, key: schemeId }) => step(place, 'DeleteScheme', { schemeId }, schemeId)),
    },
  }),

  SoWTopic: table({
    behind: ['SaveSchemeTopics'],
    models: ['structure'],
    key: 'SoWTopicID',
    columns: z.strictObject({ SoWTopic: text, SoWID: id }),
    unique: ['SoWTopic', 'SoWID'],
    differs: 'All topics of one scheme of work are stored, or none.',
    add: async (_caller, rows) =>
      rows.map(({ place, values: { SoWTopic: name, SoWID } }) =>
        entry(place, 'SaveSchemeTopics', topicsOf(SoWID), ['save', { topicId: null, name }], ({ topicIds }, index) => topicIds[index]),
      ),
    change: {
      SoWTopicID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'schemeTopic', rows);
        return rows.map(({ place, key: topicId, values: { SoWTopic: name, SoWID } }) => {
          const schemeId = owner(topicId).of ?? '';
          if (SoWID !== undefined && SoWID !== schemeId) throw invalidInput('values.SoWID', NOT_TO_ANOTHER);
          return name === undefined
            ? nothingToDo([[place, topicId]])
            : entry(place, 'SaveSchemeTopics', topicsOf(schemeId), ['save', { topicId, name }], topicId);
        });
      },
    },
    remove: {
      SoWTopicID: removing('schemeTopic', ({ place, key }, schemeId) =>
        entry(place, 'SaveSchemeTopics', topicsOf(schemeId), ['remove', key], key),
      ),
      SoWID: removingAll('scheme', ({ place, key: schemeId }, remove) => step(place, 'SaveSchemeTopics', { schemeId, remove }, schemeId)),
    },
  }),

  TestData: table({
    behind: ['CreateAssessment', 'RenameAssessment', 'ShowAssessment', 'DeleteAssessment'],
    models: ['assessments'],
    key: 'TestID',
    columns: z.strictObject({ TestName: text, Allowinput: z.literal([0, 1]).optional(), SubjectID: id }),
    unique: ['TestName', 'SubjectID'],
    differs: 'An assessment is hidden from students until Allowinput says otherwise. Its marks come back when it is restored.',
    add: async (caller, rows) =>
      rows.flatMap(({ place, values: { TestName: name, Allowinput, SubjectID: subjectId } }) => {
        const testId = madeBy(caller, 'CreateAssessment', place, 'test');
        return [
          step(place, 'CreateAssessment', { subjectId, name }, testId),
          ...(Allowinput === 1 ? [step(place, 'ShowAssessment', { testId, visible: true }, testId)] : []),
        ];
      }),
    change: {
      TestID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'test', rows);
        return rows.flatMap(({ place, key: testId, values: { TestName: name, Allowinput, SubjectID } }) => {
          sameSubject(SubjectID, owner(testId).subjectId, 'SubjectID');
          const steps = [
            ...(name === undefined ? [] : [step(place, 'RenameAssessment', { testId, name }, testId)]),
            ...(Allowinput === undefined ? [] : [step(place, 'ShowAssessment', { testId, visible: Allowinput === 1 }, testId)]),
          ];
          return steps.length === 0 ? [nothingToDo([[place, testId]])] : steps;
        });
      },
    },
    remove: {
      TestID: async (_caller, rows) => rows.map(({ place, key: testId }) => step(place, 'DeleteAssessment', { testId }, testId)),
    },
  }),

  QuestionData: table({
    behind: ['SaveQuestions'],
    models: ['assessments'],
    key: 'QuestionID',
    columns: z.strictObject({ QuestionNumber: z.int().optional(), TestTopic: text, MarksAvailable: z.number(), TestID: id }),
    differs:
      'QuestionID is the identity of a question: it keeps its marks whatever of it changes. All questions of one assessment are stored, or none; numbers run 1 to n afterwards. A removed question comes back with its marks where it is sent again.',
    add: async (_caller, rows) =>
      rows.map(({ place, values }) =>
        entry(
          place,
          'SaveQuestions',
          questionsOf(values.TestID),
          ['save', { questionId: null, ...columnsOf(values) }],
          ({ questionIds }, index) => questionIds[index],
        ),
      ),
    change: {
      QuestionID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'question', rows);
        return rows.map(({ place, key: questionId, values }) => {
          const testId = owner(questionId).of ?? '';
          if (values.TestID !== undefined && values.TestID !== testId) throw invalidInput('values.TestID', NOT_TO_ANOTHER);
          return entry(place, 'SaveQuestions', questionsOf(testId), ['save', { questionId, ...columnsOf(values) }], questionId);
        });
      },
    },
    remove: {
      QuestionID: removing('question', ({ place, key }, testId) =>
        entry(place, 'SaveQuestions', questionsOf(testId), ['remove', key], key),
      ),
      TestID: removingAll('test', ({ place, key: testId }, remove) => step(place, 'SaveQuestions', { testId, remove }, testId)),
    },
  }),
};

type Columns = {
  readonly QuestionNumber?: number | undefined;
  readonly TestTopic?: string | undefined;
  readonly MarksAvailable?: number | undefined;
};
const columnsOf = ({ QuestionNumber, TestTopic, MarksAvailable }: Columns) => ({
  ...(QuestionNumber === undefined ? {} : { number: QuestionNumber }),
  ...(TestTopic === undefined ? {} : { topic: TestTopic }),
  ...(MarksAvailable === undefined ? {} : { marksAvailable: MarksAvailable }),
});
