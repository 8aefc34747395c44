import { changesOf, day, words, wordsOrNone } from '../change.ts';
import type { Sealed } from '../codec/event.ts';
import { isForgotten } from '../codec/event.ts';
import type { Change, Descriptions } from '../sentence.ts';
import { things, typed } from '../sentence.ts';
import type { Place, StudentPerson, rosterEvents } from './roster.ts';
import { placesIn } from './roster.ts';

export const rosterSentences: Descriptions<typeof rosterEvents> = {
  StudentAdded: {
    says: ({ data }) => ['added ', things('student', data.studentId), ' to ', things('class', data.setId)],
    changes: ({ data }) => [...detailsOf(data), ...placed(placesIn({ type: 'StudentAdded', data }))],
  },
  StudentsImported: {
    says: ({ data }) => [
      `imported students from ${typed(data.about, ({ fileName }) => fileName)}`,
      counted([
        [data.added, 'new'],
        [data.enrolled, 'enrolled'],
        [data.moved, 'moved'],
        [data.corrected, 'corrected'],
        [data.offRolled, 'to Off-Roll'],
        [data.removed, 'removed'],
      ]),
    ],
    changes: ({ data }) => [
      ...[...data.added, ...data.corrected].flatMap(detailsOf),
      ...placed(placesIn({ type: 'StudentsImported', data })),
    ],
  },
  StudentCorrected: {
    says: ({ data }) => ['corrected the details of ', things('student', data.studentId)],
    changes: ({ data }) => detailsOf(data),
  },
  StudentEnrolled: {
    says: ({ data }) => ['enrolled ', things('student', data.studentId), ' in ', things('class', data.setId)],
    changes: ({ data }) => placed(placesIn({ type: 'StudentEnrolled', data })),
  },
  StudentMoved: {
    says: ({ data }) => ['moved ', things('student', data.studentId), ' to ', things('class', data.setId)],
    changes: ({ data }) => placed(placesIn({ type: 'StudentMoved', data })),
  },
  StudentTakenOffRoll: {
    says: ({ data }) => ['took ', things('student', data.studentId), ' off roll'],
    changes: ({ data }) => placed(placesIn({ type: 'StudentTakenOffRoll', data })),
  },
  StudentRemoved: {
    says: ({ data }) => ['removed ', things('student', data.studentId), ' from ', things('subject', data.subjectId)],
    changes: ({ data }) => placed(placesIn({ type: 'StudentRemoved', data })),
  },
  /** Where an undo was undone, it is a redo: the event does not say which. */
  RosterCommandUndone: {
    says: ({ data }) => [
      'undid a change of students',
      counted([
        [data.placed, 'to a class'],
        [data.corrected, 'corrected'],
        [data.offRolled, 'to Off-Roll'],
        [data.removed, 'removed'],
        [new Set([...data.changedSince, ...data.kept.places, ...data.kept.numbers]), 'not or only partly undone'],
      ]),
    ],
    changes: ({ data }) => [...data.corrected.flatMap(detailsOf), ...placed(placesIn({ type: 'RosterCommandUndone', data }))],
  },
  StudentForgotten: {
    says: () => ['deleted the name and details of a student for good'],
    changes: ({ data }) => changesOf('student', data.studentId, { Forgotten: true }),
  },
};

type Counted = readonly [of: readonly unknown[] | ReadonlySet<unknown>, what: string];

/** ": 40 new, 60 moved", without what there is none of. */
const counted = (lists: readonly Counted[]): string => {
  const parts = lists.flatMap(([of, what]) => {
    const number = of instanceof Set ? of.size : [...of].length;
    return number === 0 ? [] : [`${number} ${what}`];
  });
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
};

const placed = (places: readonly Place[]): readonly Change[] =>
  places.flatMap(({ studentId, subjectId, setId, state }) =>
    changesOf(
      'student',
      studentId,
      { Class: setId === null ? words(state === 'off-roll' ? 'Off-Roll' : 'removed') : things('class', setId) },
      { kind: 'subject', id: subjectId },
    ),
  );

const detailsOf = ({ studentId, person }: { readonly studentId: string; readonly person: Sealed<StudentPerson> }): readonly Change[] =>
  changesOf('student', studentId, {
    Name: words(typed(person, ({ name }) => name)),
    'Date of birth': isForgotten(person) ? words(typed(person, () => '')) : wordsOrNone(person.dateOfBirth && day(person.dateOfBirth)),
    StudentID: words(typed(person, ({ admissionNo }) => admissionNo)),
  });
