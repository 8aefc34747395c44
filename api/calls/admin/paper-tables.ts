import { z } from 'zod';
import { invalidInput } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import type { Step } from '../step.ts';
import { nothingToDo, step } from '../step.ts';
import type { Removed, Tables } from '../tables.ts';
import { table } from '../tables.ts';
import type { Kind } from './look-up.ts';
import { byHolder, madeBy, ownersOfKeys, sameSubject, stepOfAll } from './look-up.ts';

const text = z.string();
const NOT_TO_ANOTHER = 'It cannot move to another assessment or scheme of work.';

/** Parts go together with the others of the same scheme or assessment. `holder`: as the command names that. */
const removing =
  (kind: Kind, command: 'SaveSchemeTopics' | 'SaveQuestions', holder: 'schemeId' | 'testId') =>
  async (caller: Caller, rows: readonly Removed[]): Promise<readonly Step[]> => {
    const owner = await ownersOfKeys(caller, kind, rows);
    return [...byHolder(rows, ({ key }) => owner(key).of ?? '')].map(([held, of]) => {
      const remove = of.map(({ key }) => key);
      return stepOfAll(of, command, { [holder]: held, remove }, remove);
    });
  };

/** All parts of a scheme or assessment. `parts`: SQL with the columns `holder` and `id`. */
const removingAll =
  (kind: Kind, command: 'SaveSchemeTopics' | 'SaveQuestions', holder: 'schemeId' | 'testId', parts: string) =>
  async (caller: Caller, rows: readonly Removed[]): Promise<readonly Step[]> => {
    await ownersOfKeys(caller, kind, rows);
    const found = await caller.sql((query) => query<{ holder: string; id: string }>(parts, [rows.map(({ key }) => key)]));
    const held = Map.groupBy(found, (one) => one.holder);
    return rows.map((row) => {
      const remove = (held.get(row.key) ?? []).map((one) => one.id);
      return remove.length === 0
        ? nothingToDo([[row.place, row.key]])
        : stepOfAll([row], command, { [holder]: row.key, remove }, [row.key]);
    });
  };

/** $1 school; $2 schemes. */
const TOPICS = `
select w.scheme_id as holder, topic ->> 'topicId' as id
from schemes w cross join lateral json_array_elements(w.topics) topic
where w.school_id = $1 and w.scheme_id = any($2::uuid[])`;

/** $1 school; $2 assessments. */
const QUESTIONS = `
select test_id as holder, question_id as id from questions where school_id = $1 and test_id = any($2::uuid[]) and not hidden`;

/** Schemes of work with their topics, assessments with their questions. */
export const paperTables: Tables = {
  SoW: table({
    behind: ['AddScheme', 'ChangeScheme', 'DeleteScheme'],
    models: ['structure'],
    key: 'SoWId',
    columns: z.strictObject({ SoWName: text, SubjectID: id }),
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
    differs: 'All topics of one scheme of work are stored, or none.',
    add: async (_caller, rows) =>
      [...byHolder(rows, ({ values }) => values.SoWID)].map(([schemeId, of]) =>
        stepOfAll(
          of,
          'SaveSchemeTopics',
          { schemeId, save: of.map(({ values }) => ({ topicId: null, name: values.SoWTopic })) },
          ({ topicIds }: { readonly topicIds: readonly string[] }) => topicIds,
        ),
      ),
    change: {
      SoWTopicID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'schemeTopic', rows);
        return [...byHolder(rows, ({ key }) => owner(key).of ?? '')].flatMap(([schemeId, of]) => {
          if (of.some(({ values: { SoWID } }) => SoWID !== undefined && SoWID !== schemeId))
            throw invalidInput('values.SoWID', NOT_TO_ANOTHER);
          const named = of.filter(({ values }) => values.SoWTopic !== undefined);
          const ids = of.map(({ key }) => key);
          if (named.length === 0) return [nothingToDo(of.map(({ place, key }) => [place, key] as const))];
          const save = named.map(({ key, values }) => ({ topicId: key, name: values.SoWTopic }));
          return [stepOfAll(of, 'SaveSchemeTopics', { schemeId, save }, ids)];
        });
      },
    },
    remove: {
      SoWTopicID: removing('schemeTopic', 'SaveSchemeTopics', 'schemeId'),
      SoWID: removingAll('scheme', 'SaveSchemeTopics', 'schemeId', TOPICS),
    },
  }),

  TestData: table({
    behind: ['CreateAssessment', 'RenameAssessment', 'ShowAssessment', 'DeleteAssessment'],
    models: ['assessments'],
    key: 'TestID',
    columns: z.strictObject({ TestName: text, Allowinput: z.literal([0, 1]).optional(), SubjectID: id }),
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
      [...byHolder(rows, ({ values }) => values.TestID)].map(([testId, of]) =>
        stepOfAll(
          of,
          'SaveQuestions',
          { testId, save: of.map(({ values }) => ({ questionId: null, ...columnsOf(values) })) },
          ({ questionIds }: { readonly questionIds: readonly string[] }) => questionIds,
        ),
      ),
    change: {
      QuestionID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'question', rows);
        return [...byHolder(rows, ({ key }) => owner(key).of ?? '')].map(([testId, of]) => {
          if (of.some(({ values: { TestID } }) => TestID !== undefined && TestID !== testId))
            throw invalidInput('values.TestID', NOT_TO_ANOTHER);
          const save = of.map(({ key, values }) => ({ questionId: key, ...columnsOf(values) }));
          return stepOfAll(
            of,
            'SaveQuestions',
            { testId, save },
            of.map(({ key }) => key),
          );
        });
      },
    },
    remove: {
      QuestionID: removing('question', 'SaveQuestions', 'testId'),
      TestID: removingAll('test', 'SaveQuestions', 'testId', QUESTIONS),
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
