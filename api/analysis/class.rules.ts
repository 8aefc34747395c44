import { toldApart } from '../contract/names.ts';
import type { ClassHome } from './analysis.contract.ts';
import type { ClassMarks } from './class-figures.facts.ts';
import type { ClassOf } from './class.facts.ts';
import type { Sitting } from './group.formula.ts';
import { hasMarks } from './group.formula.ts';

/** What every answer about a class begins with: who and what it is about. */
export const headOf = (
  { students, setId, name, subjectId, yearGroupId, thresholds }: ClassOf,
  { bearing, topics, papers, groups }: ClassMarks,
): Omit<ClassHome, 'topics' | 'completed'> => {
  const named = new Set([...bearing.values()].flatMap((of) => of.flatMap(({ through }) => through)));
  return {
    setId,
    name,
    subjectId,
    yearGroupId,
    students: students.length,
    thresholds,
    scheme: topics?.scheme ?? null,
    prerequisites: (topics?.tree ?? []).flatMap(({ topicId, name: topic }) => (named.has(topicId) ? [{ topicId, name: topic }] : [])),
    tests: [...papers.values()].filter(({ testId }) => (groups.get(testId)?.n ?? 0) > 0),
  };
};

type LeftOut = ClassHome['completed'][number]['leftOut'];

/**
 * Who of a class is not in the figures of a test, and why. Somebody without marks has none of the question figures, which is worth a word only
 * where others of the class have marks; without a staff total, none of the averages.
 */
export const leftOutOf = (students: ClassOf['students'], sittings: readonly Sitting[]): LeftOut => {
  const known = new Map(sittings.map((sitting) => [sitting.studentId, sitting]));
  const isMarked = sittings.some(hasMarks);
  return toldApart(students).flatMap((student): LeftOut => {
    const sitting = known.get(student.studentId);
    if (sitting && sitting.attendance !== 'sat') return [{ ...student, why: sitting.attendance }];
    return [
      ...(isMarked && !(sitting && hasMarks(sitting)) ? [{ ...student, why: 'no-marks' as const }] : []),
      ...((sitting?.total ?? null) === null ? [{ ...student, why: 'no-total' as const }] : []),
    ];
  });
};
