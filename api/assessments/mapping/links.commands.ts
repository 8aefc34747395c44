/** One binding of one topic or question, made or taken away whatever else is bound to it. */
import type { MappingEvent } from '../../../events/assessments/mapping.ts';
import { mapping } from '../../../events/assessments/mapping.ts';
import { linkedList } from '../../common/choice.ts';
import type { Refused } from '../../common/command.ts';
import { command, refuse } from '../../common/command.ts';
import { bySubject, NO_SUBJECT } from '../../common/of-subject.ts';
import { bindable, NO_QUESTION, NO_SCHEME_TOPIC, NO_TOPIC, touchesSubject, treeOf } from './mapping.facts.ts';
import { mappingCommands } from './mapping.contract.ts';

/** A pre-requisite topic of a topic of a scheme of work (NLPSoW). */
export const LinkSchemeTopic = command({
  ...mappingCommands.LinkSchemeTopic,
  aggregate: mapping,
  streamId: bySubject,
  facts: bindable,
  decide({ schemeTopicId, topicId, linked }, state, known) {
    if (!known.subject) return refuse('not-found', NO_SUBJECT);
    const topicIds = linkedList(state.schemeTopics.get(schemeTopicId) ?? [], topicId, linked);
    if (linked && !known.schemeTopicIds.includes(schemeTopicId)) return refuse('not-found', NO_SCHEME_TOPIC);
    if (linked && topicIds && !treeOf(state).includes(topicId)) return refuse('not-found', NO_TOPIC);
    return bound(topicIds, (to) => ({ type: 'SchemeTopicsMapped', data: { changes: [{ schemeTopicId, topicIds: to }] } }));
  },
  touches: touchesSubject,
  answer: () => ({}),
});

/** A topic that a question tests (NLPAssess). */
export const LinkQuestionTopic = command({
  ...mappingCommands.LinkQuestionTopic,
  aggregate: mapping,
  streamId: bySubject,
  facts: bindable,
  decide({ questionId, topicId, linked }, state, known) {
    if (!known.subject) return refuse('not-found', NO_SUBJECT);
    const topicIds = linkedList(state.questions.get(questionId) ?? [], topicId, linked);
    if (linked && !known.questionIds.includes(questionId)) return refuse('not-found', NO_QUESTION);
    if (linked && topicIds && !treeOf(state).includes(topicId)) return refuse('not-found', NO_TOPIC);
    return bound(topicIds, (to) => ({ type: 'QuestionsMapped', data: { changes: [{ questionId, topicIds: to }] } }));
  },
  touches: touchesSubject,
  answer: () => ({}),
});

/** A question assigned by hand to a topic of a scheme of work (SoWMapping). */
export const LinkPrerequisite = command({
  ...mappingCommands.LinkPrerequisite,
  aggregate: mapping,
  streamId: bySubject,
  facts: bindable,
  decide({ schemeTopicId, questionId, linked }, state, known) {
    if (!known.subject) return refuse('not-found', NO_SUBJECT);
    const questionIds = linkedList(state.prerequisites.get(schemeTopicId) ?? [], questionId, linked);
    if (linked && !known.schemeTopicIds.includes(schemeTopicId)) return refuse('not-found', NO_SCHEME_TOPIC);
    if (linked && questionIds && !known.questionIds.includes(questionId)) return refuse('not-found', NO_QUESTION);
    return bound(questionIds, (to) => ({ type: 'PrerequisitesAllocated', data: { changes: [{ schemeTopicId, questionIds: to }] } }));
  },
  touches: touchesSubject,
  answer: () => ({}),
});

const bound = (to: string[] | undefined, event: (to: string[]) => MappingEvent): readonly MappingEvent[] | Refused =>
  to ? [event(to)] : [];
