import { test } from 'vitest';
import { AddScheme, ChangeScheme, DeleteScheme, RestoreScheme, SaveSchemeTopics } from '../../../api/school/scheme.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made } from '../../support/decider.ts';

const subjectId = id('maths');
const schemeId = id('scheme');
const added: Happened = { type: 'SchemeAdded', data: { subjectId, name: 'Higher' } };
const topics = (names: readonly string[]): Happened => ({
  type: 'SchemeTopicsChanged',
  data: { topics: names.map((name) => ({ topicId: id(name), name })) },
});

test('a scheme of work has a subject, and a name of its own there', () => {
  given([])
    .when(AddScheme, { subjectId, name: 'Higher' }, { subject: true, names: ['Foundation'] })
    .then([{ type: 'SchemeAdded', data: { subjectId, name: 'Higher' } }]);
  given([])
    .when(AddScheme, { subjectId, name: 'foundation ' }, { subject: true, names: ['Foundation'] })
    .refused('Scheme of work name needs to be unique', 'name');
  given([]).when(AddScheme, { subjectId, name: 'Higher' }, { subject: false, names: [] }).refused('There is no such subject.');
});

test('it is renamed to a name of its own', () => {
  given([added])
    .when(ChangeScheme, { schemeId, name: 'Advanced', topics: [] }, ['Foundation'])
    .then([{ type: 'SchemeRenamed', data: { name: 'Advanced' } }]);
  given([added])
    .when(ChangeScheme, { schemeId, name: 'FOUNDATION', topics: [] }, ['Foundation'])
    .refused('Scheme of work name needs to be unique', 'name');
  given([added]).when(ChangeScheme, { schemeId, name: 'Higher', topics: [] }, []).nothing();
  given([]).when(ChangeScheme, { schemeId, name: 'Higher', topics: [] }, []).refused('There is no such scheme of work.');
});

test('it comes with its topics, each of them once', () => {
  const free = { subject: true, names: [] };
  given([])
    .when(AddScheme, { subjectId, name: 'Higher', topics: ['Algebra'] }, free)
    .then([added, { type: 'SchemeTopicsChanged', data: { topics: [{ topicId: made('topic-0'), name: 'Algebra' }] } }]);
  given([])
    .when(AddScheme, { subjectId, name: 'Higher', topics: ['Algebra', 'algebra '] }, free)
    .refused('This topic is listed twice', 'topics.1');
});

test('a form changes name and topics: a topic keeps its id under another name and in another place', () => {
  const before = [added, topics(['Algebra', 'Ratio'])];
  const [algebra, ratio] = [id('Algebra'), id('Ratio')];
  given(before)
    .when(
      ChangeScheme,
      { schemeId, name: 'Top', topics: [{ topicId: ratio, name: 'Ratio' }, { topicId: algebra, name: 'Algebra I' }, { name: 'Shape' }] },
      [],
    )
    .then([
      { type: 'SchemeRenamed', data: { name: 'Top' } },
      {
        type: 'SchemeTopicsChanged',
        data: {
          topics: [
            { topicId: ratio, name: 'Ratio' },
            { topicId: algebra, name: 'Algebra I' },
            { topicId: made('topic-2'), name: 'Shape' },
          ],
        },
      },
    ]);
  const asItIs = [
    { topicId: algebra, name: 'Algebra' },
    { topicId: ratio, name: 'Ratio' },
  ];
  given(before).when(ChangeScheme, { schemeId, name: 'Higher', topics: asItIs }, []).nothing();
  given(before).when(ChangeScheme, { schemeId, name: 'Foundation', topics: asItIs }, ['Foundation']).refused('needs to be unique', 'name');
  given(before)
    .when(ChangeScheme, { schemeId, name: 'Higher', topics: [...asItIs, { name: 'ratio' }] }, [])
    .refused('This topic is listed twice', 'topics.2');
  given(before)
    .when(ChangeScheme, { schemeId, name: 'Higher', topics: [{ topicId: id('Gone'), name: 'Gone' }] }, [])
    .refused('Somebody else has removed this topic meanwhile.', 'topics.0');
  given(before)
    .when(ChangeScheme, { schemeId, name: 'Higher', topics: [{ name: ' ' }] }, [])
    .invalid('Required.');
});

test('it goes when no set follows it, and comes back with its topics unless its name was taken', () => {
  const deleted: Happened = { type: 'SchemeDeleted', data: {} };
  const before = [added, topics(['Algebra'])];
  given(before)
    .when(DeleteScheme, { schemeId }, [])
    .then([{ type: 'SchemeDeleted', data: {} }]);
  given(before)
    .when(DeleteScheme, { schemeId }, ['11A', '11B'])
    .refused('Higher is followed by 11A, 11B: choose another scheme of work there first');
  given([...before, deleted])
    .when(DeleteScheme, { schemeId }, [])
    .nothing();
  given([...before, deleted])
    .when(ChangeScheme, { schemeId, name: 'Top', topics: [] }, [])
    .refused('There is no such scheme of work.');
  given([...before, deleted])
    .when(RestoreScheme, { schemeId }, ['Foundation'])
    .then([{ type: 'SchemeRestored', data: {} }]);
  given([...before, deleted])
    .when(RestoreScheme, { schemeId }, ['higher'])
    .refused('There is another scheme of work called Higher now');
  given([...before, deleted, { type: 'SchemeRestored', data: {} }])
    .when(ChangeScheme, { schemeId, name: 'Higher', topics: [{ topicId: id('Algebra'), name: 'Algebra' }] }, [])
    .nothing();
  given(before).when(RestoreScheme, { schemeId }, []).nothing();
  given([]).when(RestoreScheme, { schemeId }, []).refused('There is no such scheme of work.');
});

test('some topics are saved, and what others there are stays', () => {
  const there = [added, topics(['Number', 'Algebra', 'Ratio'])];
  given(there)
    .when(SaveSchemeTopics, {
      schemeId,
      save: [
        { topicId: id('Algebra'), name: 'Equations' },
        { topicId: null, name: 'Shape' },
      ],
      remove: [id('Ratio')],
    })
    .then([
      {
        type: 'SchemeTopicsChanged',
        data: {
          topics: [
            { topicId: id('Number'), name: 'Number' },
            { topicId: id('Algebra'), name: 'Equations' },
            { topicId: made('topic-1'), name: 'Shape' },
          ],
        },
      },
    ]);
  given(there)
    .when(SaveSchemeTopics, { schemeId, save: [{ topicId: null, name: 'number ' }] })
    .refused('This topic is listed twice', 'save.0');
  given(there)
    .when(SaveSchemeTopics, { schemeId, save: [{ topicId: id('Gone'), name: 'Gone' }] })
    .refused('There is no such topic in this scheme of work.', 'save.0');
  given(there)
    .when(SaveSchemeTopics, { schemeId, remove: [id('Gone')] })
    .nothing();
});

test('it is renamed without its topics', () => {
  given([added, topics(['Number'])])
    .when(ChangeScheme, { schemeId, name: 'Advanced' }, [])
    .then([{ type: 'SchemeRenamed', data: { name: 'Advanced' } }]);
});
