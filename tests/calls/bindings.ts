import type { World } from '../matrix/world.ts';

type Tree = { readonly tree: { readonly topics: readonly { readonly topicId: string; readonly name: string }[] } };

/** A topic tree of Mathematics, and a question and a scheme's topic that are bound to its topic Algebra, and to one another. */
export const bindings = async ({ school: { as, ids } }: World): Promise<{ readonly topicId: string }> => {
  const admin = await as('admin');
  const { maths: subjectId, schemeTopic: schemeTopicId, questions } = ids;
  const [questionId] = questions;
  await admin.done('ReplaceTopicTree', { subjectId, title: 'Mathematics', paths: [['Number', 'Fractions'], ['Algebra']] });
  const { tree } = await admin.ask<Tree>('mappings', { subjectId });
  const topicId = tree.topics.find(({ name }) => name === 'Algebra')?.topicId ?? '';
  await admin.done('LinkSchemeTopic', { subjectId, links: [{ schemeTopicId, topicId }], linked: true });
  await admin.done('LinkQuestionTopic', { subjectId, links: [{ questionId, topicId }], linked: true });
  await admin.done('LinkPrerequisite', { subjectId, links: [{ schemeTopicId, questionId }], linked: true });
  return { topicId };
};
