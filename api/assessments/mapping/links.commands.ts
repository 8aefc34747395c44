/** Single bindings of topics and questions, made or taken away whatever else is bound to them: all of them, or none. */
import { mapping } from '../../../events/assessments/mapping.ts';
import { linkedLists } from '../../common/choice.ts';
import { command, refuse } from '../../common/command.ts';
import { bySubject } from '../../common/of-subject.ts';
import { bindable, NO_QUESTION, NO_SCHEME_TOPIC, NO_TOPIC, touchesSubject, treeOf } from './mapping.facts.ts';
import { mappingCommands } from './mapping.contract.ts';

/** Pre-requisite topics of topics of a scheme of work (NLPSoW). */
export const LinkSchemeTopic = command({
  largest: 'upload',
  ...mappingCommands.LinkSchemeTopic,
  aggregate: mapping,
  streamId: bySubject,
  facts: bindable,
  decide({ links, linked }, state, known) {
    const bound = (schemeTopicId: string): readonly string[] => state.schemeTopics.get(schemeTopicId) ?? [];
    const [schemeTopics, tree] = [new Set(known.schemeTopicIds), new Set(treeOf(state))];
    if (linked && links.some(({ schemeTopicId }) => !schemeTopics.has(schemeTopicId))) return refuse('not-found', NO_SCHEME_TOPIC);
    if (linked && links.some(({ schemeTopicId, topicId }) => !tree.has(topicId) && !bound(schemeTopicId).includes(topicId)))
      return refuse('not-found', NO_TOPIC);
    const lists = linkedLists(
      links.map(({ schemeTopicId, topicId }) => [schemeTopicId, topicId]),
      bound,
      linked,
    );
    const changes = [...lists].map(([schemeTopicId, topicIds]) => ({ schemeTopicId, topicIds: [...topicIds] }));
    return changes.length === 0 ? [] : [{ type: 'SchemeTopicsMapped', data: { changes } }];
  },
  touches: touchesSubject,
  answer: () => ({}),
});

/** Topics that questions test (NLPAssess). */
export const LinkQuestionTopic = command({
  largest: 'upload',
  ...mappingCommands.LinkQuestionTopic,
  aggregate: mapping,
  streamId: bySubject,
  facts: bindable,
  decide({ links, linked }, state, known) {
    const bound = (questionId: string): readonly string[] => state.questions.get(questionId) ?? [];
    const [questions, tree] = [new Set(known.questionIds), new Set(treeOf(state))];
    if (linked && links.some(({ questionId }) => !questions.has(questionId))) return refuse('not-found', NO_QUESTION);
    if (linked && links.some(({ questionId, topicId }) => !tree.has(topicId) && !bound(questionId).includes(topicId)))
      return refuse('not-found', NO_TOPIC);
    const lists = linkedLists(
      links.map(({ questionId, topicId }) => [questionId, topicId]),
      bound,
      linked,
    );
    const changes = [...lists].map(([questionId, topicIds]) => ({ questionId, topicIds: [...topicIds] }));
    return changes.length === 0 ? [] : [{ type: 'QuestionsMapped', data: { changes } }];
  },
  touches: touchesSubject,
  answer: () => ({}),
});

/** Questions assigned by hand to topics of a scheme of work (SoWMapping). */
export const LinkPrerequisite = command({
  largest: 'upload',
  ...mappingCommands.LinkPrerequisite,
  aggregate: mapping,
  streamId: bySubject,
  facts: bindable,
  decide({ links, linked }, state, known) {
    const bound = (schemeTopicId: string): readonly string[] => state.prerequisites.get(schemeTopicId) ?? [];
    const [schemeTopics, questions] = [new Set(known.schemeTopicIds), new Set(known.questionIds)];
    if (linked && links.some(({ schemeTopicId }) => !schemeTopics.has(schemeTopicId))) return refuse('not-found', NO_SCHEME_TOPIC);
    if (linked && links.some(({ schemeTopicId, questionId }) => !questions.has(questionId) && !bound(schemeTopicId).includes(questionId)))
      return refuse('not-found', NO_QUESTION);
    const lists = linkedLists(
      links.map(({ schemeTopicId, questionId }) => [schemeTopicId, questionId]),
      bound,
      linked,
    );
    const changes = [...lists].map(([schemeTopicId, questionIds]) => ({ schemeTopicId, questionIds: [...questionIds] }));
    return changes.length === 0 ? [] : [{ type: 'PrerequisitesAllocated', data: { changes } }];
  },
  touches: touchesSubject,
  answer: () => ({}),
});
