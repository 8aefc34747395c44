import { test } from 'vitest';
import { AddScheme, ChangeScheme, DeleteScheme, RestoreScheme, SaveSchemeTopics } from '../../../api/school/scheme.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, id, made } from '../../support/decider.ts';

const subjectId = id('maths');
const schemeId = id('scheme');
const added: Happened = { type: 'SchemeAdded', data: { subjectId, name: 'Higher' } };
const topics = (names: readonly string[]): Happened => ({
  type: 'SchemeTopicsChanged',
  data: { topics: names.map((name) => ({ topicId: id(name), name })) },
});

const addScheme = deciding(AddScheme, { subjectId });
const changeScheme = deciding(ChangeScheme, { schemeId }, []);
const restoreScheme = deciding(RestoreScheme, { schemeId }, []);
const deleteScheme = deciding(DeleteScheme, { schemeId }, []);
const saveSchemeTopics = deciding(SaveSchemeTopics, { schemeId });

test('a scheme of work has a subject, and a name of its own there', () => {
  addScheme([], { name: 'Higher' }, ['Foundation']).then([{ type: 'SchemeAdded', data: { subjectId, name: 'Higher' } }]);
  addScheme([], { name: 'foundation ' }, ['Foundation']).refused('Scheme of work name needs to be unique', 'name');
});

test('it is renamed to a name of its own', () => {
  changeScheme([added], { name: 'Advanced', topics: [] }, ['Foundation']).then([{ type: 'SchemeRenamed', data: { name: 'Advanced' } }]);
  changeScheme([added], { name: 'FOUNDATION', topics: [] }, ['Foundation']).refused('Scheme of work name needs to be unique', 'name');
  changeScheme([added], { name: 'Higher', topics: [] }).nothing();
  changeScheme([], { name: 'Higher', topics: [] }).refused('There is no such scheme of work.');
});

test('it comes with its topics, each of them once', () => {
  const free: readonly string[] = [];
  addScheme([], { name: 'Higher', topics: ['Algebra'] }, free).then([
    added,
    { type: 'SchemeTopicsChanged', data: { topics: [{ topicId: made('topic-0'), name: 'Algebra' }] } },
  ]);
  addScheme([], { name: 'Higher', topics: ['Algebra', 'algebra '] }, free).refused('This topic is listed twice', 'topics.1');
});

test('a form changes name and topics: a topic keeps its id under another name and in another place', () => {
  const before = [added, topics(['Algebra', 'Ratio'])];
  const [algebra, ratio] = [id('Algebra'), id('Ratio')];
  changeScheme(before, {
    name: 'Top',
    topics: [{ topicId: ratio, name: 'Ratio' }, { topicId: algebra, name: 'Algebra I' }, { name: 'Shape' }],
  }).then([
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
  changeScheme(before, { name: 'Higher', topics: asItIs }).nothing();
  changeScheme(before, { name: 'Foundation', topics: asItIs }, ['Foundation']).refused('needs to be unique', 'name');
  changeScheme(before, { name: 'Higher', topics: [...asItIs, { name: 'ratio' }] }).refused('This topic is listed twice', 'topics.2');
  changeScheme(before, { name: 'Higher', topics: [{ topicId: id('Gone'), name: 'Gone' }] }).refused(
    'Somebody else has deleted this topic meanwhile.',
    'topics.0',
  );
  changeScheme(before, { name: 'Higher', topics: [{ name: ' ' }] }).invalid('Required.');
});

test('it goes when no set follows it, and comes back with its topics unless its name was taken', () => {
  const deleted: Happened = { type: 'SchemeDeleted', data: {} };
  const before = [added, topics(['Algebra'])];
  deleteScheme(before).then([{ type: 'SchemeDeleted', data: {} }]);
  deleteScheme(before, {}, ['11A', '11B']).refused('Higher is followed by 11A, 11B: choose another scheme of work there first');
  deleteScheme([...before, deleted]).nothing();
  changeScheme([...before, deleted], { name: 'Top', topics: [] }).refused('There is no such scheme of work.');
  restoreScheme([...before, deleted], {}, ['Foundation']).then([{ type: 'SchemeRestored', data: {} }]);
  restoreScheme([...before, deleted], {}, ['higher']).refused('There is another scheme of work called Higher now');
  changeScheme([...before, deleted, { type: 'SchemeRestored', data: {} }], {
    name: 'Higher',
    topics: [{ topicId: id('Algebra'), name: 'Algebra' }],
  }).nothing();
  restoreScheme(before).nothing();
  restoreScheme([]).refused('There is no such scheme of work.');
});

test('some topics are saved, and what others there are stays', () => {
  const there = [added, topics(['Number', 'Algebra', 'Ratio'])];
  saveSchemeTopics(there, {
    save: [
      { topicId: id('Algebra'), name: 'Equations' },
      { topicId: null, name: 'Shape' },
    ],
    remove: [id('Ratio')],
  }).then([
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
  saveSchemeTopics(there, { save: [{ topicId: null, name: 'number ' }] }).refused('This topic is listed twice', 'save.0');
  saveSchemeTopics(there, { save: [{ topicId: id('Gone'), name: 'Gone' }] }).refused(
    'There is no such topic in this scheme of work.',
    'save.0',
  );
  saveSchemeTopics(there, { remove: [id('Gone')] }).nothing();
});

test('it is renamed without its topics', () => {
  changeScheme([added, topics(['Number'])], { name: 'Advanced' }).then([{ type: 'SchemeRenamed', data: { name: 'Advanced' } }]);
});
