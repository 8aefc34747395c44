import { describe, expect, test } from 'vitest';
import {
  AllocatePrerequisites,
  MapQuestions,
  MapSchemeTopics,
  ReplaceTopicTree,
} from '../../../api/assessments/mapping/mapping.commands.ts';
import { LinkPrerequisite, LinkQuestionTopic, LinkSchemeTopic } from '../../../api/assessments/mapping/links.commands.ts';
import { pathOf } from '../../../events/assessments/mapping.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made } from '../../support/decider.ts';

const subjectId = id('maths');
const known = { subject: true, schemeTopicIds: [id('sow algebra'), id('sow ratio')], questionIds: [id('q1'), id('q2')] };
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
const algebraMapped: Happened = {
  type: 'SchemeTopicsMapped',
  data: { changes: [{ schemeTopicId: id('sow algebra'), topicIds: [id('algebra')] }] },
};

describe('a topic tree', () => {
  test('is made from the way to each topic, and what lies between', () => {
    const number = made(`topic-${pathOf(undefined, 'Number')}`);
    given([])
      .when(ReplaceTopicTree, { subjectId, title: 'Mathematics', paths: [['Number', 'Fractions'], ['Number']] }, known)
      .then([
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
    const [event] = given([tree, without])
      .when(
        ReplaceTopicTree,
        {
          subjectId,
          title: 'Mathematics',
          paths: [
            ['Number', 'fractions'],
            ['Geometry', 'Fractions'],
          ],
        },
        known,
      )
      .events();
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
    given([tree]).when(ReplaceTopicTree, { subjectId, title: 'Mathematics', paths }, known).nothing();
    expect(given([tree]).when(ReplaceTopicTree, { subjectId, title: 'Maths', paths }, known).events()).toHaveLength(1);
  });

  test('belongs to a subject, and has at most three levels', () => {
    given([])
      .when(ReplaceTopicTree, { subjectId, title: 'Mathematics', paths: [['Number']] }, { ...known, subject: false })
      .refused('There is no such subject.');
    given([])
      .when(ReplaceTopicTree, { subjectId, title: 'Mathematics', paths: [['a', 'b', 'c', 'd']] }, known)
      .invalid('Too big: expected array to have <=3 items');
    given([])
      .when(ReplaceTopicTree, { subjectId, title: 'Mathematics', paths: [['Number', ' ']] }, known)
      .invalid('Required.');
  });
});

describe('what is bound', () => {
  test('is stored as the whole list, for those that change', () => {
    given([tree, algebraMapped])
      .when(
        MapSchemeTopics,
        {
          subjectId,
          changes: [
            { schemeTopicId: id('sow algebra'), topicIds: [id('algebra')] },
            { schemeTopicId: id('sow ratio'), topicIds: [id('fractions'), id('number'), id('fractions')] },
          ],
        },
        known,
      )
      .then([
        {
          type: 'SchemeTopicsMapped',
          data: { changes: [{ schemeTopicId: id('sow ratio'), topicIds: [id('fractions'), id('number')] }] },
        },
      ]);
    given([tree])
      .when(MapQuestions, { subjectId, changes: [{ questionId: id('q1'), topicIds: [id('algebra')] }] }, known)
      .then([{ type: 'QuestionsMapped', data: { changes: [{ questionId: id('q1'), topicIds: [id('algebra')] }] } }]);
    given([])
      .when(AllocatePrerequisites, { subjectId, changes: [{ schemeTopicId: id('sow ratio'), questionIds: [id('q2')] }] }, known)
      .then([{ type: 'PrerequisitesAllocated', data: { changes: [{ schemeTopicId: id('sow ratio'), questionIds: [id('q2')] }] } }]);
  });

  test('may be nothing any more', () => {
    given([tree, algebraMapped])
      .when(MapSchemeTopics, { subjectId, changes: [{ schemeTopicId: id('sow algebra'), topicIds: [] }] }, known)
      .then([{ type: 'SchemeTopicsMapped', data: { changes: [{ schemeTopicId: id('sow algebra'), topicIds: [] }] } }]);
    given([tree])
      .when(MapSchemeTopics, { subjectId, changes: [{ schemeTopicId: id('sow algebra'), topicIds: [] }] }, known)
      .nothing();
  });

  test('must exist in the subject', () => {
    given([tree])
      .when(MapSchemeTopics, { subjectId, changes: [{ schemeTopicId: id('elsewhere'), topicIds: [id('algebra')] }] }, known)
      .refused('This topic is no longer in the scheme of work. Reload and choose again.', 'changes.0');
    given([tree])
      .when(MapSchemeTopics, { subjectId, changes: [{ schemeTopicId: id('sow algebra'), topicIds: [id('elsewhere')] }] }, known)
      .refused(/There is no such topic in the topic tree/, 'changes.0');
    given([tree])
      .when(MapQuestions, { subjectId, changes: [{ questionId: id('elsewhere'), topicIds: [id('algebra')] }] }, known)
      .refused(/This question is no longer on its assessment/);
    given([tree])
      .when(AllocatePrerequisites, { subjectId, changes: [{ schemeTopicId: id('sow ratio'), questionIds: [id('elsewhere')] }] }, known)
      .refused(/This question is no longer on its assessment/);
  });

  test('stays beside a topic that left the tree, and may go', () => {
    const smaller: Happened = {
      type: 'TopicTreeReplaced',
      data: { title: 'Mathematics', topics: [{ topicId: id('number'), name: 'Number', parentId: null }] },
    };
    const both = [id('algebra'), id('number')];
    given([tree, algebraMapped, smaller])
      .when(MapSchemeTopics, { subjectId, changes: [{ schemeTopicId: id('sow algebra'), topicIds: both }] }, known)
      .then([{ type: 'SchemeTopicsMapped', data: { changes: [{ schemeTopicId: id('sow algebra'), topicIds: both }] } }]);
    given([tree, algebraMapped, smaller])
      .when(MapSchemeTopics, { subjectId, changes: [{ schemeTopicId: id('sow algebra'), topicIds: [id('number')] }] }, known)
      .events();
  });

  test('keeps what is hidden, which the author could not see', () => {
    const bound: Happened = {
      type: 'PrerequisitesAllocated',
      data: { changes: [{ schemeTopicId: id('sow ratio'), questionIds: [id('hidden'), id('q1')] }] },
    };
    const change = (questionIds: readonly string[], was: readonly string[]) => ({
      subjectId,
      changes: [{ schemeTopicId: id('sow ratio'), questionIds, was }],
    });
    given([bound])
      .when(AllocatePrerequisites, change([id('q2')], [id('q1')]), known)
      .then([
        {
          type: 'PrerequisitesAllocated',
          data: { changes: [{ schemeTopicId: id('sow ratio'), questionIds: [id('q2'), id('hidden')] }] },
        },
      ]);
    given([bound])
      .when(AllocatePrerequisites, change([id('q1')], [id('q1')]), known)
      .nothing();
    given([bound])
      .when(AllocatePrerequisites, change([id('q2')], [id('q2')]), known)
      .refused(/Somebody else has changed/);
  });

  test('is not overwritten where somebody else has changed it since', () => {
    const change = (was: readonly string[]) => ({
      subjectId,
      changes: [{ schemeTopicId: id('sow algebra'), topicIds: [id('number')], was }],
    });
    given([tree, algebraMapped])
      .when(MapSchemeTopics, change([]), known)
      .refused('Somebody else has changed this allocation meanwhile. Reload to see it, then save yours again.', 'changes.0');
    given([tree, algebraMapped])
      .when(MapSchemeTopics, change([id('algebra')]), known)
      .events();
  });
});

test('single links are made or taken away, whatever else is bound there: all of them, or none', () => {
  const [algebra, fractions, number] = [id('algebra'), id('fractions'), id('number')];
  const [schemeTopicId, other] = [id('sow algebra'), id('sow ratio')];
  const link = (topicId: string, linked = true) => ({ subjectId, links: [{ schemeTopicId, topicId }], linked });
  const mapped = (...changes: { schemeTopicId: string; topicIds: string[] }[]) => [
    { type: 'SchemeTopicsMapped', data: { changes } } as const,
  ];
  given([tree, algebraMapped])
    .when(LinkSchemeTopic, link(fractions), known)
    .then([...mapped({ schemeTopicId, topicIds: [algebra, fractions] })]);
  given([tree, algebraMapped]).when(LinkSchemeTopic, link(algebra), known).nothing();
  given([tree, algebraMapped])
    .when(LinkSchemeTopic, link(algebra, false), known)
    .then([...mapped({ schemeTopicId, topicIds: [] })]);
  const several = [
    { schemeTopicId, topicId: fractions },
    { schemeTopicId: other, topicId: number },
    { schemeTopicId, topicId: number },
  ];
  given([tree, algebraMapped])
    .when(LinkSchemeTopic, { subjectId, links: several, linked: true }, known)
    .then([...mapped({ schemeTopicId, topicIds: [algebra, fractions, number] }, { schemeTopicId: other, topicIds: [number] })]);
  given([tree])
    .when(LinkSchemeTopic, { subjectId, links: [...several, { schemeTopicId, topicId: id('nowhere') }], linked: true }, known)
    .refused(/There is no such topic in the topic tree/u);
  given([tree])
    .when(LinkQuestionTopic, { subjectId, links: [{ questionId: id('q1'), topicId: number }], linked: true }, known)
    .then([{ type: 'QuestionsMapped', data: { changes: [{ questionId: id('q1'), topicIds: [number] }] } }]);
  given([tree])
    .when(LinkPrerequisite, { subjectId, links: [{ schemeTopicId: other, questionId: id('gone') }], linked: true }, known)
    .refused(/This question is no longer on its assessment/u);
});
