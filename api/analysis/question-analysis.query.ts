import { awayCounts } from '../contract/attendance.ts';
import { maySeeClass } from '../actor.ts';
import { theRow } from '../common/facts.ts';
import { inOrder } from '../common/in-order.ts';
import { invalidInput, notYourSet, ProblemError } from '../common/problems.ts';
import { defineSharedQuery, JsonText } from '../common/query.ts';
import type { Paper } from './analysis.contract.ts';
import type { Sitting } from './group.formula.ts';
import { byStudent, groupMarks, hasMarks, ifOpen, isEmpty } from './group.formula.ts';
import { reliabilityOf, testFigures } from './items.formula.ts';
import { sittingsOfTests } from './sittings.facts.ts';
import type { GroupFigures, QuestionAnalysis, QuestionStudents } from './tests.contract.ts';
import { testQueries } from './tests.contract.ts';

const models = ['structure', 'roster', 'assessments', 'results'] as const;

/**
 * How the questions of a test worked (contract: QuestionAnalysis), the same for everybody but for the classes that are shown: teachers see
 * their own, and of the year group whole numbers without names.
 */
export const questionAnalysis = defineSharedQuery({
  ...testQueries['question-analysis'],
  models,
  marks: 'assessment',
  part: {
    whole: ({ testId, yearGroupId }) => ({ testId, yearGroupId }),
    places: () => undefined,
  },
  async read(query, { testId, yearGroupId }, { subjectId }) {
    const { year, sets } = theRow(await query<Head>(HEAD, [yearGroupId]));
    const sat = await sittingsOfTests(query, [testId]);
    const paper = theRow([...sat.papers.values()]);
    const sittings = (sat.sittings.get(testId) ?? []).filter((sitting) => !isEmpty(sitting));
    const sittingOf = byStudent(sittings);
    const setsOfYear = (sets ?? []).map(({ students, ...set }) => ({ ...set, ...figuresOf(paper, students, sittingOf) }));
    const all = figuresOf(paper, [...sittingOf.keys()], sittingOf);
    const ofYear = (sets ?? []).flatMap(({ students }) => students);
    const answer: Omit<QuestionAnalysis, 'sets'> = {
      testId,
      name: paper.name,
      subjectId,
      yearGroupId,
      year,
      max: paper.max,
      questions: paper.questions.map((question) => ({ ...question, reliability: reliabilityOf(all.alpha, all.k, 1) })),
      topics: topicsOf(paper, all),
      all,
      ofYear: figuresOf(paper, ofYear, sittingOf),
    };
    return { text: new JsonText<Omit<QuestionAnalysis, 'sets'>>(JSON.stringify(answer)), facts: setsOfYear };
  },
  ownFields(sets: QuestionAnalysis['sets'], actor, { setId: only }): Pick<QuestionAnalysis, 'sets'> {
    const theirs = sets.filter(({ setId }) => maySeeClass(actor, setId));
    if (only === undefined) return { sets: theirs };
    if (!maySeeClass(actor, only)) throw notYourSet();
    return { sets: theirs.filter(({ setId }) => setId === only) };
  },
});

type Head = {
  readonly year: number;
  readonly sets: readonly { readonly setId: string; readonly name: string; readonly students: readonly string[] }[] | null;
};

/** `studentIds`: who is in the group, with marks or without. */
const figuresOf = (paper: Paper, studentIds: readonly string[], sittingOf: ReadonlyMap<string, Sitting>): GroupFigures => {
  const sittings = studentIds.flatMap((studentId) => sittingOf.get(studentId) ?? []);
  const rows = sittings.filter(hasMarks).map(({ marks }) => marks);
  const maxima = paper.questions.map(({ max }) => max);
  const away = awayCounts(sittings);
  return {
    ...testFigures(rows, maxima),
    leftOut: { ...away, noMarks: studentIds.length - rows.length - away.absent - away.exempt },
    open: groupMarks(sittings, paper.questions).questions.map((question) => (question && ifOpen(question).open) ?? null),
  };
};

/** The questions of one topic together, by the alpha of all students. Those that nobody has a mark for say nothing about it. */
const topicsOf = ({ questions }: Paper, all: GroupFigures): QuestionAnalysis['topics'] => {
  const places = [...questions.entries()].map(([place, question]) => ({ ...question, hasMarks: all.questions[place] !== null }));
  return [...Map.groupBy(places, ({ topic }) => topic.toLowerCase()).values()].map((ofTopic) => ({
    topic: ofTopic[0]?.topic ?? '',
    questionIds: ofTopic.map(({ questionId }) => questionId),
    reliability: reliabilityOf(all.alpha, all.k, ofTopic.filter((question) => question.hasMarks).length),
  }));
};

/** $1 school; $2 year group. */
const HEAD = `
select y.year,
  (select json_agg(json_build_object('setId', s.set_id, 'name', s.name,
                     'students', to_json(array(select e.student_id from enrolments e where e.school_id = $1 and e.set_id = s.set_id
                                                order by e.student_id)))
                   order by ${inOrder('s.name')}, s.set_id)
     from sets s where s.school_id = $1 and s.year_group_id = y.year_group_id and not s.deleted) as sets
from year_groups y
where y.school_id = $1 and y.year_group_id = $2`;

/** Who got which mark in a question, and how they did in the others. Of a class, or of the year group for those who see all its classes. */
export const questionStudents = defineSharedQuery({
  ...testQueries['question-students'],
  models,
  marks: 'assessment',
  async read(query, { testId, questionId, setId, yearGroupId }) {
    if ((setId === undefined) === (yearGroupId === undefined)) throw invalidInput('setId', 'Choose a class or a year group.');
    const students = await query<StudentOfGroup>(STUDENTS, [setId ?? null, yearGroupId ?? null]);
    const sat = await sittingsOfTests(query, [testId]);
    const questions = sat.papers.get(testId)?.questions ?? [];
    const place = questions.findIndex((one) => one.questionId === questionId);
    const question = questions[place];
    const facts = { isQuestion: question !== undefined };
    if (!question) return { text: new JsonText<QuestionStudents>('{"students":[]}'), facts };
    const sittingOf = byStudent(sat.sittings.get(testId) ?? []);
    const answer: QuestionStudents = { testId, ...question, students: studentsOf(students, sittingOf, questions, place) };
    return { text: new JsonText<QuestionStudents>(JSON.stringify(answer)), facts };
  },
  ownFields({ isQuestion }: { readonly isQuestion: boolean }) {
    if (!isQuestion) throw new ProblemError('not-found', 'There is no such question.');
    return {};
  },
});

type StudentOfGroup = Pick<QuestionStudents['students'][number], 'studentId' | 'name' | 'admissionNo' | 'setId'>;

/** Who sat it. The rest is that of the questions that somebody of the group has a mark for. */
const studentsOf = (
  students: readonly StudentOfGroup[],
  sittingOf: ReadonlyMap<string, Sitting>,
  questions: Paper['questions'],
  place: number,
): QuestionStudents['students'] => {
  const counted = students.flatMap((student) => {
    const sitting = sittingOf.get(student.studentId);
    return sitting && hasMarks(sitting) ? [{ student, sitting }] : [];
  });
  const sittings = counted.map(({ sitting }) => sitting);
  const group = groupMarks(sittings, questions);
  const others = questions.flatMap(({ max }, other) => (other !== place && group.questions[other] ? [{ other, max }] : []));
  const maxOfOthers = others.reduce((sum, { max }) => sum + max, 0);
  return counted.map(({ student, sitting: { marks, contested, flags } }) => {
    const mark = marks[place] ?? null;
    const got = others.reduce((sum, { other }) => sum + (marks[other] ?? 0), 0);
    const open = flags.includes('contested-attendance') || contested.includes(place) || (mark ?? 0) > (questions[place]?.max ?? 0);
    return { ...student, mark, rest: maxOfOthers > 0 ? got / maxOfOthers : null, open };
  });
};

/** $1 school; $2 class; $3 year group. */
const STUDENTS = `
select e.student_id as "studentId", p.name, p.admission_no as "admissionNo", e.set_id as "setId"
from sets s
join enrolments e on e.school_id = $1 and e.set_id = s.set_id
join students p on p.school_id = $1 and p.student_id = e.student_id
where s.school_id = $1 and not s.deleted and (s.set_id = $2 or s.year_group_id = $3)
order by ${inOrder('p.name')}, e.student_id`;
