import type { Replay, ReplayStep } from '#api/history/replay/replay.contract';
import type { Move, ReplayState } from '#api/history/replay/replay.formula';
import { valueAt } from '#api/history/replay/replay.formula';
import type { MarkbookTotal } from '#api/marks/marks.contract';
import { counted, some } from '../../format.ts';
import { FORGOTTEN } from '../markbook/view.ts';

/** '35', 'absent', '12 of 13 questions', 'none' */
export const totalText = ({ total, attendance, flags, marked }: MarkbookTotal): string => {
  if (attendance !== 'sat') return attendance;
  const text = total === null ? (marked ? `${marked.questions} of ${marked.of} questions` : 'none') : String(total);
  return flags?.includes('contested') ? `${text}, several values` : text;
};

export const studentName = ({ students }: Replay, place: number): string => students[place]?.name ?? FORGOTTEN;
export const authorName = ({ people }: Replay, { by }: ReplayStep): string => people[by] ?? 'Somebody who was forgotten';

const ACTS: Readonly<Record<string, string>> = {
  TotalsUploaded: 'uploaded totals',
  MarksUploaded: 'uploaded question marks',
  MarksEntered: 'entered marks',
  MarkDecided: 'decided a contested mark',
  CommandUndone: 'took marks back',
  CommandRedone: 'brought marks back',
  SubmissionSaved: 'entered their own marks',
  SubmissionConfirmed: 'submitted their own marks',
  QuestionsUploaded: 'uploaded questions',
  QuestionsEdited: 'edited questions',
  AssessmentCreated: 'added an assessment',
  AssessmentRenamed: 'renamed an assessment',
  AssessmentDeleted: 'deleted an assessment',
  AssessmentRestored: 'restored an assessment',
  SetAdded: 'added a class',
  SetRenamed: 'renamed a class',
  SetDeleted: 'deleted a class',
  SetRestored: 'restored a class',
  SetMovedToYearGroup: 'moved a class to another year group',
  SetAssessmentsChosen: 'chose the assessments of a class',
  StudentAdded: 'added a student',
  StudentsImported: 'imported students',
  StudentEnrolled: 'enrolled a student',
  StudentMoved: 'moved a student',
  StudentTakenOffRoll: 'took a student off roll',
  StudentRemoved: 'removed a student',
  RosterCommandUndone: 'took a change of students back',
  TaskRanked: 'ranked the students',
  RankingAdopted: 'adopted a ranking',
  RankingRemoved: 'removed the ranking',
  GradesAssigned: 'allocated grades',
  GradesReopened: 'took the grades back',
  ResultsDecided: 'decided results by hand',
  FeedbackTaskDeleted: 'deleted a feedback task',
  FeedbackTaskRestored: 'restored a feedback task',
};

/** 'Grace Bell entered marks. Lee, Kayleigh, Mock 1: 35 → 38.' `before`: the state that it changed. */
export const stepText = (replay: Replay, step: ReplayStep, before: ReplayState): string =>
  [
    `${authorName(replay, step)} ${ACTS[step.type] ?? 'changed something'}.`,
    ...changeTexts(replay, step, before).map((text) => `${text}.`),
  ].join(' ');

const changeTexts = (replay: Replay, step: ReplayStep, before: ReplayState): readonly string[] => {
  const { classes = [], cells = [], students = [], tests = [], results = [] } = step;
  const nameOf = (test: number): string =>
    step.tests?.find(([place]) => place === test)?.[1]?.name ?? before.tests.get(test)?.name ?? 'an assessment';
  const [cell] = cells;
  const texts: string[] = [];
  for (const [test, shown] of tests.slice(0, 3)) {
    const was = before.tests.get(test);
    if (!shown) texts.push(`${nameOf(test)} is gone`);
    else if (!was) texts.push(`${shown.name} is new`);
    else if (was.name !== shown.name) texts.push(`${was.name} is ${shown.name} now`);
    else texts.push(`The maximum of ${shown.name}: ${was.max ?? 'none'} → ${shown.max ?? 'none'}`);
  }
  for (const [setId, name] of classes.slice(0, 3)) {
    const was = before.classes.get(setId);
    if (name === null) texts.push(`${was ?? 'A class'} is gone`);
    else texts.push(was === undefined ? `${name} is new` : `${was} is ${name} now`);
  }
  const joined = students.filter(([student]) => !before.students.has(student));
  const left = students.filter(([, setId]) => setId === null);
  const moved = students.length - joined.length - left.length;
  if (joined.length > 0)
    texts.push(joined.length === 1 ? `${studentName(replay, joined[0]?.[0] ?? 0)} joined` : `${counted(joined.length, 'student')} joined`);
  if (left.length > 0)
    texts.push(left.length === 1 ? `${studentName(replay, left[0]?.[0] ?? 0)} left` : `${counted(left.length, 'student')} left`);
  if (moved > 0) texts.push(`${counted(moved, 'student')} changed class`);
  if (cell && cells.length === 1 && joined.length === 0) {
    const [student, test, value] = cell;
    const after = value === null ? EMPTY : (replay.values[value] ?? EMPTY);
    texts.push(
      `${studentName(replay, student)}, ${nameOf(test)}: ${totalText(valueAt(replay, before, student, test))} → ${totalText(after)}`,
    );
  } else if (cell) texts.push(`${counted(cells.length, 'total')} of ${some([...new Set(cells.map(([, test]) => nameOf(test)))])}`);
  if (results.length > 0) texts.push(`Results of ${counted(results.length, 'student')}`);
  return texts;
};
const EMPTY: MarkbookTotal = { total: null, source: null, attendance: 'sat' };

/** '14 totals changed; 3 students have another grade' */
export const movesText = (moves: readonly Move[]): string => {
  const totals = moves.filter(({ test }) => test !== undefined).length;
  const graded = new Set(moves.flatMap((move) => (move.gradeBefore === move.gradeAfter ? [] : move.student))).size;
  const changed = totals === 0 ? 'no total changed' : `${counted(totals, 'total')} changed`;
  return graded === 0 ? changed : `${changed}; ${graded === 1 ? '1 student has' : `${graded} students have`} another grade`;
};
