import { describe, expect, test } from 'vitest';
import {
  AllocatePrerequisites,
  MapQuestions,
  MapSchemeTopics,
  ReplaceTopicTree,
  LinkPrerequisite,
  LinkQuestionTopic,
  LinkSchemeTopic,
} from '../../../api/assessments/mapping/mapping.commands.ts';
import { pathOf } from '../../../events/assessments/mapping.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, given, id, made } from '../../support/decider.ts';

const subjectId = id('maths');
const known = { schemeTopicIds: [id('sow algebra'), id('sow ratio')], questionIds: [id('q1'), id('q2')] };
const tree: Happened = {
  type: 'TopicTreeReplaced',
  data: {
    title: 'Mathematics',
    topics: [
      { topicId: id('number'), name: 'Number', parentId: null },
      { topicId: id('fractions'), name: 'Fractions', parentId: id('number') },
      { topicId: id('algebra'), name: 'Algebra', parentId: null },
    ],
  },
};
const mapped = (...changes: { schemeTopicId: string; topicIds: string[] }[]) =>
  ({ type: 'SchemeTopicsMapped', data: { changes } }) as const;
const questionsMapped = (...changes: { questionId: string; topicIds: string[] }[]) =>
  ({ type: 'QuestionsMapped', data: { changes } }) as const;
const allocated = (...changes: { schemeTopicId: string; questionIds: string[] }[]) =>
  ({ type: 'PrerequisitesAllocated', data: { changes } }) as const;
const algebraMapped = mapped({ schemeTopicId: id('sow algebra'), topicIds: [id('algebra')] });

const replaceTopicTree = deciding(ReplaceTopicTree, { subjectId, title: 'Mathematics' }, known);
const mapSchemeTopics = deciding(MapSchemeTopics, { subjectId }, known);
const mapQuestions = deciding(MapQuestions, { subjectId }, known);
const allocatePrerequisites = deciding(AllocatePrerequisites, { subjectId }, known);
const linkSchemeTopic = deciding(LinkSchemeTopic, { subjectId, linked: true }, known);

describe('a topic tree', () => {
  test('is made from the way to each topic, and what lies between', () => {
    const number = made(`topic-${pathOf(undefined, 'Number')}`);
    replaceTopicTree([], { paths: [['Number', 'Fractions'], ['Number']] }).then([
      {
        type: 'TopicTreeReplaced',
        data: {
          title: 'Mathematics',
          topics: [
            { topicId: number, name: 'Number', parentId: null },
            { topicId: made(`topic-${pathOf(pathOf(undefined, 'Number'), 'Fractions')}`), name: 'Fractions', parentId: number },
          ],
        },
      },
    ]);
  });

  test('keeps the ids of topics that are where they were, also after they were away', () => {
    const without: Happened = {
      type: 'TopicTreeReplaced',
      data: { title: 'Mathematics', topics: [{ topicId: id('number'), name: 'Number', parentId: null }] },
    };
    const [event] = replaceTopicTree([tree, without], {
      paths: [
        ['Number', 'fractions'],
        ['Geometry', 'Fractions'],
      ],
    }).events();
    expect(event?.data).toMatchObject({
      topics: [
        { topicId: id('number') },
        { topicId: id('fractions'), name: 'fractions' },
        { name: 'Geometry' },
        // Elsewhere it is another topic.
        { topicId: expect.not.stringContaining(id('fractions')), name: 'Fractions' },
      ],
    });
  });

  test('that is there already changes nothing, under another title it does', () => {
    const paths = [['Number', 'Fractions'], ['Algebra']];
    replaceTopicTree([tree], { paths }).nothing();
    expect(replaceTopicTree([tree], { title: 'Maths', paths }).events()).toHaveLength(1);
  });

  test('belongs to a subject, and has at most three levels', () => {
    replaceTopicTree([], { paths: [['a', 'b', 'c', 'd']] }).invalid('Too big: expected array to have <=3 items');
    replaceTopicTree([], { paths: [['Number', ' ']] }).invalid('Required.');
  });
});

describe('what is bound', () => {
  test('is stored as the whole list, for those that change', () => {
    mapSchemeTopics([tree, algebraMapped], {
      changes: [
        { schemeTopicId: id('sow algebra'), topicIds: [id('algebra')] },
        { schemeTopicId: id('sow ratio'), topicIds: [id('fractions'), id('number'), id('fractions')] },
      ],
    }).then([mapped({ schemeTopicId: id('sow ratio'), topicIds: [id('fractions'), id('number')] })]);
    mapQuestions([tree], { changes: [{ questionId: id('q1'), topicIds: [id('algebra')] }] }).then([
      questionsMapped({ questionId: id('q1'), topicIds: [id('algebra')] }),
    ]);
    allocatePrerequisites([], { changes: [{ schemeTopicId: id('sow ratio'), questionIds: [id('q2')] }] }).then([
      allocated({ schemeTopicId: id('sow ratio'), questionIds: [id('q2')] }),
    ]);
  });

  test('may be nothing any more', () => {
    mapSchemeTopics([tree, algebraMapped], { changes: [{ schemeTopicId: id('sow algebra'), topicIds: [] }] }).then([
      mapped({ schemeTopicId: id('sow algebra'), topicIds: [] }),
    ]);
    mapSchemeTopics([tree], { changes: [{ schemeTopicId: id('sow algebra'), topicIds: [] }] }).nothing();
  });

  test('must exist in the subject', () => {
    mapSchemeTopics([tree], { changes: [{ schemeTopicId: id('elsewhere'), topicIds: [id('algebra')] }] }).refused(
      'This topic is no longer in the scheme of work. Reload and choose again.',
      'changes.0',
    );
    mapSchemeTopics([tree], { changes: [{ schemeTopicId: id('sow algebra'), topicIds: [id('elsewhere')] }] }).refused(
      /There is no such topic in the topic tree/,
      'changes.0',
    );
    mapQuestions([tree], { changes: [{ questionId: id('elsewhere'), topicIds: [id('algebra')] }] }).refused(
      /This question is no longer on its assessment/,
    );
    allocatePrerequisites([tree], { changes: [{ schemeTopicId: id('sow ratio'), questionIds: [id('elsewhere')] }] }).refused(
      /This question is no longer on its assessment/,
    );
  });

  test('stays beside a topic that left the tree, and may go', () => {
    const smaller: Happened = {
      type: 'TopicTreeReplaced',
      data: { title: 'Mathematics', topics: [{ topicId: id('number'), name: 'Number', parentId: null }] },
    };
    const both = [id('algebra'), id('number')];
    mapSchemeTopics([tree, algebraMapped, smaller], { changes: [{ schemeTopicId: id('sow algebra'), topicIds: both }] }).then([
      mapped({ schemeTopicId: id('sow algebra'), topicIds: both }),
    ]);
    mapSchemeTopics([tree, algebraMapped, smaller], { changes: [{ schemeTopicId: id('sow algebra'), topicIds: [id('number')] }] }).events();
  });

  test('keeps what is hidden, which the author could not see', () => {
    const bound = allocated({ schemeTopicId: id('sow ratio'), questionIds: [id('hidden'), id('q1')] });
    const change = (questionIds: readonly string[], was: readonly string[]) => ({
      subjectId,
      changes: [{ schemeTopicId: id('sow ratio'), questionIds, was }],
    });
    allocatePrerequisites([bound], change([id('q2')], [id('q1')])).then([
      allocated({ schemeTopicId: id('sow ratio'), questionIds: [id('q2'), id('hidden')] }),
    ]);
    allocatePrerequisites([bound], change([id('q1')], [id('q1')])).nothing();
    allocatePrerequisites([bound], change([id('q2')], [id('q2')])).refused(/Somebody else has changed/);
  });

  test('is not overwritten where somebody else has changed it since', () => {
    const change = (was: readonly string[]) => ({
      subjectId,
      changes: [{ schemeTopicId: id('sow algebra'), topicIds: [id('number')], was }],
    });
    mapSchemeTopics([tree, algebraMapped], change([])).refused(
      'Somebody else has changed this allocation meanwhile. Reload to see it, then save yours again.',
      'changes.0',
    );
    mapSchemeTopics([tree, algebraMapped], change([id('algebra')])).events();
  });
});

test('single links are made or taken away, whatever else is bound there: all of them, or none', () => {
  const [algebra, fractions, number] = [id('algebra'), id('fractions'), id('number')];
  const [schemeTopicId, other] = [id('sow algebra'), id('sow ratio')];
  const link = (topicId: string, linked = true) => ({ subjectId, links: [{ schemeTopicId, topicId }], linked });
  linkSchemeTopic([tree, algebraMapped], link(fractions)).then([mapped({ schemeTopicId, topicIds: [algebra, fractions] })]);
  linkSchemeTopic([tree, algebraMapped], link(algebra)).nothing();
  linkSchemeTopic([tree, algebraMapped], link(algebra, false)).then([mapped({ schemeTopicId, topicIds: [] })]);
  const several = [
    { schemeTopicId, topicId: fractions },
    { schemeTopicId: other, topicId: number },
    { schemeTopicId, topicId: number },
  ];
  linkSchemeTopic([tree, algebraMapped], { links: several }).then([
    mapped({ schemeTopicId, topicIds: [algebra, fractions, number] }, { schemeTopicId: other, topicIds: [number] }),
  ]);
  linkSchemeTopic([tree], { links: [...several, { schemeTopicId, topicId: id('nowhere') }] }).refused(
    /There is no such topic in the topic tree/u,
  );
  given([tree])
    .when(LinkQuestionTopic, { subjectId, links: [{ questionId: id('q1'), topicId: number }], linked: true }, known)
    .then([questionsMapped({ questionId: id('q1'), topicIds: [number] })]);
  given([tree])
    .when(LinkPrerequisite, { subjectId, links: [{ schemeTopicId: other, questionId: id('gone') }], linked: true }, known)
    .refused(/This question is no longer on its assessment/u);
});
