import { z } from 'zod';
import { invalidInput } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import type { Step } from '../step.ts';
import { entry, nothingToDo, step } from '../step.ts';
import type { Removed, Tables } from '../tables.ts';
import { byRow, table } from '../tables.ts';
import { byOwnedRow, madeBy, ownersOf, partsOf } from './look-up.ts';

const text = z.string();
const NOT_TO_ANOTHER = 'It cannot move to another assessment or scheme of work.';

const topicsOf = (schemeId: string | null) => ({ schemeId: schemeId ?? '', save: [], remove: [] });
const questionsOf = (testId: string | null) => ({ testId: testId ?? '', save: [], remove: [] });

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
    add: byRow(({ place, values: { SoWName: name, SubjectID: subjectId } }) =>
      step(place, 'AddScheme', { subjectId, name }, ({ schemeId }) => schemeId),
    ),
    change: {
      SoWId: byOwnedRow('scheme', ({ place, key: schemeId, values: { SoWName: name } }) =>
        step(place, 'ChangeScheme', { schemeId, name }, schemeId),
      ),
    },
    remove: { SoWId: byRow(({ place, key: schemeId }) => step(place, 'DeleteScheme', { schemeId }, schemeId)) },
  }),

  SoWTopic: table({
    behind: ['SaveSchemeTopics'],
    models: ['structure'],
    key: 'SoWTopicID',
    columns: z.strictObject({ SoWTopic: text, SoWID: id }),
    unique: ['SoWTopic', 'SoWID'],
    differs: 'All topics of one scheme of work are stored, or none.',
    add: byRow(({ place, values: { SoWTopic: name, SoWID } }) =>
      entry(place, 'SaveSchemeTopics', topicsOf(SoWID), ['save', { topicId: null, name }], ({ topicIds }, index) => topicIds[index]),
    ),
    change: {
      SoWTopicID: byOwnedRow('schemeTopic', ({ place, key: topicId, of, values: { SoWTopic: name, SoWID = of } }) => {
        if (SoWID !== of) throw invalidInput('values.SoWID', NOT_TO_ANOTHER);
        return name === undefined
          ? nothingToDo([[place, topicId]])
          : entry(place, 'SaveSchemeTopics', topicsOf(of), ['save', { topicId, name }], topicId);
      }),
    },
    remove: {
      SoWTopicID: byOwnedRow('schemeTopic', ({ place, key, of }) => entry(place, 'SaveSchemeTopics', topicsOf(of), ['remove', key], key)),
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
    add: byRow(({ place, values: { TestName: name, Allowinput, SubjectID: subjectId } }, caller) => {
      const testId = madeBy(caller, 'CreateAssessment', place, 'test');
      return [
        step(place, 'CreateAssessment', { subjectId, name }, testId),
        ...(Allowinput === 1 ? [step(place, 'ShowAssessment', { testId, visible: true }, testId)] : []),
      ];
    }),
    change: {
      TestID: byOwnedRow('test', ({ place, key: testId, values: { TestName: name, Allowinput } }) => {
        const steps = [
          ...(name === undefined ? [] : [step(place, 'RenameAssessment', { testId, name }, testId)]),
          ...(Allowinput === undefined ? [] : [step(place, 'ShowAssessment', { testId, visible: Allowinput === 1 }, testId)]),
        ];
        return steps.length === 0 ? nothingToDo([[place, testId]]) : steps;
      }),
    },
    remove: { TestID: byRow(({ place, key: testId }) => step(place, 'DeleteAssessment', { testId }, testId)) },
  }),

  QuestionData: table({
    behind: ['SaveQuestions'],
    models: ['assessments'],
    key: 'QuestionID',
    columns: z.strictObject({ QuestionNumber: z.int().optional(), TestTopic: text, MarksAvailable: z.number(), TestID: id }),
    differs:
      'QuestionID is the identity of a question: it keeps its marks whatever of it changes. All questions of one assessment are stored, or none; numbers run 1 to n afterwards. A removed question comes back with its marks where it is sent again.',
    add: byRow(({ place, values: { TestID, ...values } }) =>
      entry(
        place,
        'SaveQuestions',
        questionsOf(TestID),
        ['save', { questionId: null, ...columnsOf(values) }],
        ({ questionIds }, index) => questionIds[index],
      ),
    ),
    change: {
      QuestionID: byOwnedRow('question', ({ place, key: questionId, of, values: { TestID = of, ...values } }) => {
        if (TestID !== of) throw invalidInput('values.TestID', NOT_TO_ANOTHER);
        return entry(place, 'SaveQuestions', questionsOf(of), ['save', { questionId, ...columnsOf(values) }], questionId);
      }),
    },
    remove: {
      QuestionID: byOwnedRow('question', ({ place, key, of }) => entry(place, 'SaveQuestions', questionsOf(of), ['remove', key], key)),
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
  number: QuestionNumber,
  topic: TestTopic,
  marksAvailable: MarksAvailable,
});
