import type { Answer } from '../contract/answer.ts';
import type { QueryCalls } from '../contracts.ts';
import { linkId } from './tables.ts';

/** What is mapped in a subject, by the documented names. */
type Mappings = Answer<QueryCalls['mappings']['answer']>;

const namesOf = ({ tree }: Mappings): ReadonlyMap<string, string> =>
  new Map((tree?.topics ?? []).map(({ topicId, name }) => [topicId, name]));

/** The topics that each topic of a scheme of work requires. */
export const requiredTopics = (mappings: Mappings) => {
  const names = namesOf(mappings);
  return mappings.schemes.flatMap(({ schemeId: SoWId, name: SoWName, topics }) =>
    topics.flatMap(({ schemeTopicId: SoWTopicID, name: SoWTopic, topicIds }) =>
      topicIds.map((TopicID) => {
        const link = { NLPSoWID: linkId('NLPSoW', SoWTopicID, TopicID), SoWTopicID, TopicID };
        return { ...link, SoWTopic, SoWId, SoWName, TopicName: names.get(TopicID) ?? '' };
      }),
    ),
  );
};

/** The topics that each question of an assessment tests. */
export const testedTopics = (mappings: Mappings) => {
  const names = namesOf(mappings);
  return mappings.tests.flatMap(({ testId: TestID, questions }) =>
    questions.flatMap(({ questionId: QuestionID, number: QuestionNumber, topic: TestTopic, topicIds }) =>
      topicIds.map((TopicID) => {
        const link = { NLPAssessID: linkId('NLPAssess', QuestionID, TopicID), QuestionID, TopicID, TestID };
        return { ...link, QuestionNumber, TestTopic, TopicName: names.get(TopicID) ?? '' };
      }),
    ),
  );
};
