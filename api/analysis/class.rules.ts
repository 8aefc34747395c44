import { toldApart } from '../contract/names.ts';
import type { ClassHome } from './analysis.contract.ts';
import type { ClassMarks, ClassOf } from './class.facts.ts';
import type { Sitting } from './group.formula.ts';
import { byStudent, hasMarks, ifOpen } from './group.formula.ts';
import type { BearingMarks } from './topic-figures.formula.ts';
import type { Bearing } from './topics.formula.ts';

/** What every answer about a class begins with: who and what it is about. */
export const headOf = (
  { students, setId, name, subjectId, yearGroupId, thresholds }: ClassOf,
  { bearing, topics, papers, groups }: ClassMarks,
): Omit<ClassHome, 'topics' | 'completed'> => ({
  setId,
  name,
  subjectId,
  yearGroupId,
  students: students.length,
  thresholds,
  scheme: topics?.scheme ?? null,
  prerequisites: prerequisitesOf(topics, [...bearing.values()].flat()),
  tests: [...papers.values()].filter(({ testId }) => (groups.get(testId)?.n ?? 0) > 0),
});

/** The topics of the tree through which these questions bear on others. */
export const prerequisitesOf = (topics: ClassMarks['topics'], bearing: readonly Bearing[]): ClassHome['prerequisites'] => {
  const through = new Set(bearing.flatMap((one) => one.through));
  return (topics?.tree ?? []).flatMap(({ topicId, name }) => (through.has(topicId) ? [{ topicId, name }] : []));
};

/** A question that bears on a topic, as answers have it. */
export const bearingAnswer = ({
  testId,
  questionId,
  byHand,
  through,
  marks,
  available,
  ...open
}: BearingMarks): ClassHome['topics'][number]['questions'][number] => ({
  testId,
  questionId,
  byHand,
  through,
  marks,
  available,
  ...ifOpen(open),
});

type LeftOut = ClassHome['completed'][number]['leftOut'];

/**
 * Who of a class is not in the figures of a test, and why. Somebody without marks has none of the question figures, which is worth a word only
 * where others of the class have marks; without a staff total, none of the averages.
 */
export const leftOutOf = (students: ClassOf['students'], sittings: readonly Sitting[]): LeftOut => {
  const sittingOf = byStudent(sittings);
  const isMarked = sittings.some(hasMarks);
  return toldApart(students).flatMap((student): LeftOut => {
    const sitting = sittingOf.get(student.studentId);
    if (sitting && sitting.attendance !== 'sat') return [{ ...student, why: sitting.attendance }];
    return [
      ...(isMarked && !(sitting && hasMarks(sitting)) ? [{ ...student, why: 'no-marks' as const }] : []),
      ...((sitting?.total ?? null) === null ? [{ ...student, why: 'no-total' as const }] : []),
    ];
  });
};
