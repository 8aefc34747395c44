import { parseTopicTree } from '../../api/assessments/mapping/topics-file.contract.ts';
import type { Actor } from '../../api/actor.ts';
import type { Builder } from './builder.ts';
import { accepted, file, there } from './builder.ts';
import type { Mathematics } from './mathematics.ts';

type Topic = {
  /** in the topic tree */
  readonly is: readonly string[];
  /** what a student should know before, among the topics of the scheme */
  readonly needs?: readonly string[];
};

/** The topics of the simulated papers, in the order in which they are taught. */
const taught: Readonly<Record<string, Topic>> = {
  'Fractions and decimals': { is: ['Adding and subtracting fractions', 'Converting fractions, decimals and percentages'] },
  Percentages: { is: ['Percentage of an amount', 'Percentage increase and decrease'], needs: ['Fractions and decimals'] },
  Ratio: { is: ['Simplifying ratios', 'Sharing in a ratio'], needs: ['Fractions and decimals'] },
  Indices: { is: ['Laws of indices'] },
  'Expanding and factorising': { is: ['Expanding brackets', 'Factorising into a single bracket'], needs: ['Indices'] },
  'Linear equations': { is: ['Solving linear equations', 'Unknowns on both sides'] },
  Sequences: { is: ['Continuing sequences and term-to-term rules', 'nth term of a linear sequence'] },
  'Straight-line graphs': { is: ['Gradient and intercept of a straight line'], needs: ['Linear equations'] },
  'Angles and polygons': { is: ['Angles in parallel lines', 'Interior and exterior angles of polygons'] },
  'Area and volume': { is: ['Area of triangles, parallelograms and trapezia', 'Volume of prisms and cylinders'] },
  Pythagoras: { is: ["Pythagoras' theorem"], needs: ['Area and volume'] },
  Trigonometry: { is: ['Trigonometry in right-angled triangles'], needs: ['Pythagoras', 'Ratio'] },
  Probability: { is: ['Theoretical probability of equally likely outcomes'], needs: ['Fractions and decimals'] },
  'Averages and spread': { is: ['Mean, median, mode and range', 'Averages from a frequency table'] },
  'Scatter graphs': { is: ['Scatter graphs and correlation'], needs: ['Straight-line graphs'] },
  'Simultaneous equations': { is: ['Linear simultaneous equations'], needs: ['Linear equations'] },
  'Quadratic equations': { is: ['Solving quadratics by factorising'], needs: ['Expanding and factorising'] },
  'Circle theorems': { is: ['Circle theorems'], needs: ['Angles and polygons'] },
  Vectors: { is: ['Column vectors', 'Geometric proof with vectors'], needs: ['Ratio'] },
  Functions: { is: ['Function machines', 'Composite and inverse functions'], needs: ['Sequences', 'Linear equations'] },
};

/** The topics of the examination, which are beyond GCSE, with the topics of the tree on which they are based. */
const economists: Readonly<Record<string, Topic>> = {
  'Quadratic forms': { is: ['Quadratic formula and completing the square'] },
  Derivatives: { is: ['Gradients of curves and areas under graphs'] },
  Elasticity: { is: ['Percentage increase and decrease', 'Gradients of curves and areas under graphs'] },
  Integrals: { is: ['Gradients of curves and areas under graphs'] },
  'Interest rates': { is: ['Compound interest and depreciation'] },
  Annuities: { is: ['Compound interest and depreciation', 'Geometric, Fibonacci and other special sequences'] },
  'Payment flows': { is: ['Compound interest and depreciation'] },
  'Matrix algebra': { is: ['Column vectors'] },
  'Production planning': { is: ['Regions on a graph'] },
  'Systems of linear equations': { is: ['Linear simultaneous equations'] },
  'Hessian matrix': { is: ['Quadratic graphs and turning points'] },
  'Implicit differentiation': { is: ['Equation of a circle and its tangent'] },
  'Lagrange optimisation': { is: ['Quadratic graphs and turning points'] },
};

const topicOf = (name: string): Topic => there(taught[name] ?? economists[name], `binding of ${name}`);

type Topics = {
  /** of the scheme of work with the papers' topics */
  readonly schemeId: string;
  /** Binds the questions of the examination, which was made later. */
  readonly bindExamination: () => Promise<void>;
};

type By = { readonly admin: Actor; readonly leader: Actor };

/** The supplied topic tree, a scheme of work, the topics of both schemes and of all questions so far, and prerequisites chosen by hand. */
export const topics = async (builder: Builder, { admin, leader }: By, { subjectId, papers }: Mathematics): Promise<Topics> => {
  const { done } = builder;
  const tree = accepted(parseTopicTree(await file('../../admin-ui/public/topic_trees/gcse_mathematics.csv')));
  const paths = tree.rows.map(({ path }) => path);
  await done(admin, 'maths', 'ReplaceTopicTree', { subjectId, title: 'GCSE Mathematics', paths });
  const scheme = { subjectId, name: 'GCSE Mathematics', topics: Object.keys(taught) };
  const { schemeId = '' } = await done(admin, 'GCSE', 'AddScheme', scheme);

  const inTree = new Map<string, string>();
  // Below the upper levels, whose names some topics have too.
  const found = await builder.rows<{ name: string; id: string }>(
    `select name, topic_id as id from topics t where school_id = $1 and subject_id = $2
        and not exists (select from topics below where below.school_id = $1 and below.parent_id = t.topic_id)`,
    [subjectId],
  );
  for (const { name, id } of found) inTree.set(name, id);
  const idsOf = (names: readonly string[]): string[] => [...new Set(names)].map((name) => there(inTree.get(name), name));

  const listed = await builder.rows<{ name: string; id: string }>(
    `select topic ->> 'name' as name, topic ->> 'topicId' as id
       from schemes c, json_array_elements(c.topics) with ordinality as listed (topic, place)
      where c.school_id = $1 and c.subject_id = $2 order by c.scheme_id, place`,
    [subjectId],
  );
  await done(leader, 'maths', 'MapSchemeTopics', {
    subjectId,
    changes: listed.map(({ name, id }) => {
      const { is, needs = [] } = topicOf(name);
      return { schemeTopicId: id, topicIds: idsOf([...is, ...needs.flatMap((need) => topicOf(need).is)]) };
    }),
  });

  const questionsOf = (testIds: readonly string[]) =>
    builder.rows<{ id: string; topic: string }>(
      `select question_id as id, topic from questions where school_id = $1 and test_id = any($2::uuid[]) order by test_id, number`,
      [testIds],
    );
  const bind = async (act: string, testIds: readonly string[]): Promise<void> => {
    const questions = await questionsOf(testIds);
    const changes = questions.map(({ id, topic }) => ({ questionId: id, topicIds: idsOf(topicOf(topic).is) }));
    await done(leader, act, 'MapQuestions', { subjectId, changes });
  };
  await bind('papers', [...papers.values()]);
  // The questions of the papers so far about what a topic needs.
  const questions = await questionsOf([...papers.values()]);
  const allocated = listed.flatMap(({ name, id }) => {
    const { needs = [] } = topicOf(name);
    const questionIds = questions.filter(({ topic }) => needs.includes(topic)).map((question) => question.id);
    return questionIds.length === 0 ? [] : [{ schemeTopicId: id, questionIds }];
  });
  await done(leader, 'maths', 'AllocatePrerequisites', { subjectId, changes: allocated });
  return { schemeId, bindExamination: () => bind('examination', [there(papers.get('examination'), 'examination')]) };
};
