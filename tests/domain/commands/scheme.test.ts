import { test } from 'vitest';
import { AddScheme, RenameScheme, UploadSchemeTopics } from '../../../api/commands/scheme.ts';
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
    .when(RenameScheme, { schemeId, name: 'Advanced' }, ['Foundation'])
    .then([{ type: 'SchemeRenamed', data: { name: 'Advanced' } }]);
  given([added])
    .when(RenameScheme, { schemeId, name: 'FOUNDATION' }, ['Foundation'])
    .refused('Scheme of work name needs to be unique', 'name');
  given([added]).when(RenameScheme, { schemeId, name: 'Higher' }, []).nothing();
  given([]).when(RenameScheme, { schemeId, name: 'Higher' }, []).refused('There is no such scheme of work.');
});

test('topics keep their ids as long as their names', () => {
  given([added, topics(['Algebra', 'Ratio'])])
    .when(UploadSchemeTopics, { schemeId, topics: ['Ratio', 'Shape'] })
    .then([
      {
        type: 'SchemeTopicsChanged',
        data: {
          topics: [
            { topicId: id('Ratio'), name: 'Ratio' },
            { topicId: made('topic-1'), name: 'Shape' },
          ],
        },
      },
    ]);
});

test('the same list changes nothing, another order does', () => {
  given([added, topics(['Algebra', 'Ratio'])])
    .when(UploadSchemeTopics, { schemeId, topics: ['Algebra', 'Ratio'] })
    .nothing();
  given([added, topics(['Algebra', 'Ratio'])])
    .when(UploadSchemeTopics, { schemeId, topics: ['Ratio', 'Algebra'] })
    .events();
  given([added, topics(['Algebra', 'Ratio'])])
    .when(UploadSchemeTopics, { schemeId, topics: ['Algebra'] })
    .events();
});

test('a topic is there once, in a scheme that is there', () => {
  given([added])
    .when(UploadSchemeTopics, { schemeId, topics: ['Algebra', 'Ratio', 'Algebra'] })
    .refused('The topic Algebra is there twice', 'topics.2');
  given([]).when(UploadSchemeTopics, { schemeId, topics: [] }).refused('There is no such scheme of work.');
});
