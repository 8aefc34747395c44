/** Requests about the students of a subject, and the preview of an import. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { instant, namedStudent, nothing, record } from '../contract/answer.ts';
import { damage, doubts } from './plausible.contract.ts';
import { admissionNo, fileName, id, isInCalendar, isoDate, label, line, personName, personNameInFile, ruled } from '../contract/fields.ts';
import { MAX_LABEL, MAX_UPLOAD_ROWS } from '../contract/limits.ts';
import { LAST_YEAR, NOT_WHOLE, wrongYear } from '../contract/rules.ts';

const year = ruled(z.number(NOT_WHOLE), wrongYear).meta({ type: 'integer', minimum: 1, maximum: LAST_YEAR });
const dateOfBirth = isoDate.refine(isInCalendar, 'The year must be between 1000 and 3000').nullable();
/** Cannot be undone. */
export const forgetStudent = z.strictObject({ studentId: id });
export const addStudent = z.strictObject({ subjectId: id, setId: id, admissionNo, name: personName, dateOfBirth });
/** The edits in a table of students, and new students, applied together or not at all. */
export const changeStudents = z.strictObject({
  subjectId: id,
  changes: z
    .array(
      z.strictObject({
        studentId: id,
        /** new details; left out: no change */
        details: z.strictObject({ admissionNo, name: personName, dateOfBirth }).optional(),
        /** The details when the table was loaded: refused if somebody else has changed them since. */
        was: z.strictObject({ admissionNo: z.string(), name: z.string(), dateOfBirth: z.string().nullable() }).optional(),
        place: z.union([z.strictObject({ setId: id }), z.enum(['off-roll', 'removed', 'back'])]).optional(),
      }),
    )
    .max(2_000),
  /** Each as AddStudent has it. */
  added: z
    .array(addStudent.omit({ subjectId: true }))
    .max(2_000)
    .optional(),
});
/** All students of a set, of the sets of a year group, or of several sets. `to`: a set; left out: Off-Roll. */
export const emptySets = z.strictObject({
  subjectId: id,
  of: z.union([z.strictObject({ setId: id }), z.strictObject({ yearGroupId: id }), z.strictObject({ setIds: z.array(id).max(1_000) })]),
  to: z.strictObject({ setId: id }).optional(),
});
/** A set, or Off-Roll. */
const place = z.union([id, z.literal('off-roll')]);
/** `commandId`: from the response to the command that changed students. */
export const undoRosterChange = z.strictObject({ subjectId: id, commandId: id });
export const importStudents = z.strictObject({
  subjectId: id,
  fileName,
  /** Sets by name, as in the file; Off-Roll takes a student off roll. */
  rows: z
    .array(
      z.strictObject({
        admissionNo,
        name: personNameInFile,
        set: label,
        dateOfBirth,
        /** If the student is known by another name or date of birth: which version counts. Left out: see `correct`. */
        details: z.enum(['file', 'stored']).optional(),
        /** Who has a StudentID that is nobody's: a student of the subject without another row, or somebody new. Left out: as the preview says. */
        is: z.union([z.strictObject({ studentId: id }), z.literal('new')]).optional(),
        /** Which StudentID somebody has from now on who is there under another one. Left out: the stored one. */
        number: z.enum(['file', 'stored']).optional(),
      }),
    )
    .min(1)
    .max(5_000),
  /** What happens to students of the subject who are not in the file. */
  others: z.enum(['keep', 'off-roll', 'remove']).default('keep'),
  /** Those of them who are meant: in these year groups, and in Off-Roll. Left out: in the year groups of the file, which are those of its sets, and those most of whose students it has. The rest stay. */
  othersIn: z.array(place).max(200).optional(),
  /** What names of sets in the file mean, as the preview said; a name that is left out means the set that is called so. `called`: see `renamed`. */
  sets: z
    .array(z.strictObject({ name: label, setId: place, called: label.optional() }))
    .max(1_000)
    .default([]),
  /** Whether to change names and dates of birth that differ from the file (else the file is refused, and they are listed). */
  correct: z.boolean().default(false),
  /** Sets of the file that do not exist yet, and are made with the import, as AddSets makes them: in a year group that is there, or of a year. */
  make: z
    .array(
      z.strictObject({
        in: z.union([z.strictObject({ yearGroupId: id }), z.strictObject({ year })]),
        names: z.array(label).min(1).max(500),
        schemeId: id,
        testIds: z.array(id).max(200),
      }),
    )
    .max(100)
    .default([]),
  /** `seen` of the preview: the file is refused if the students have changed since. */
  seen: z.string().max(100).optional(),
});

const importCounts = z.object({
  added: z.int(),
  enrolled: z.int(),
  moved: z.int(),
  corrected: z.int(),
  offRolled: z.int(),
  removed: z.int(),
});
export type ImportCounts = Answer<typeof importCounts>;

const agreement = z.enum(['name', 'date-of-birth', 'student-id']);
/** In what a row and a student agree; a StudentID does if a spreadsheet may have made the file's of the student's. */
export type Agreement = z.infer<typeof agreement>;

/** What ImportStudents with the same input would do. */
const importPreview = z.object({
  rows: z
    .array(
      z.object({
        admissionNo: z.string(),
        name: z.string(),
        dateOfBirth: z.iso.date().nullable(),
        set: z.string(),
        change: z
          .enum(['added', 'enrolled', 'moved', 'off-roll', 'left-out', 'same', 'missing'])
          .describe(
            '`missing`: no such set; nothing else is known about the row. `left-out`: off roll in the file, and not in the subject.',
          ),
        from: z.string().nullable().describe('for students who are moved or taken off roll: the current set, or Off-Roll'),
        stored: z
          .object({ name: z.string(), dateOfBirth: z.iso.date().nullable(), counts: z.enum(['file', 'stored']).nullable() })
          .nullable()
          .describe('The stored name and date of birth, if they differ; `counts`: which version will count, null: the user must choose.'),
        identity: z
          .object({
            dateOfBirth: z.iso.date().nullable().describe("the file's own"),
            candidates: z.array(
              z.object({
                studentId: id,
                admissionNo: z.string(),
                name: z.string(),
                dateOfBirth: z.iso.date().nullable(),
                set: z.string(),
                agrees: z.array(agreement),
              }),
            ),
            studentId: id.nullable().describe('who it is; null: somebody new'),
            number: z.enum(['file', 'stored']).describe('which StudentID that student has from now on'),
          })
          .exactOptional()
          .describe("Of a StudentID that is nobody's: who of the subject the row may be, best first. Absent: nobody."),
      }),
    )
    .describe("in the file's order"),
  sets: z
    .array(
      z.object({
        name: z.string().describe('in the file'),
        setId: place.nullable().describe('null: there is no such set, or it is made with the import'),
        called: z.string().describe('what the set is called; the name in the file, if there is none'),
        isGone: z.boolean().describe('The set that it was said to mean is deleted.'),
      }),
    )
    .describe('each name once: what it means. To be sent with the import.'),
  missingSets: z.array(z.string()).describe('names of sets in the file that do not exist, each once'),
  others: z
    .array(
      z.object({
        studentId: id,
        admissionNo: z.string(),
        name: z.string(),
        dateOfBirth: z.iso.date().nullable(),
        set: z.string(),
        in: place.nullable().describe('the year group, or Off-Roll'),
        becomes: z.enum(['kept', 'off-roll', 'removed']),
      }),
    )
    .describe('Students of the subject who are not in the file, and what happens to them.'),
  othersIn: z.array(place).describe('Who of them are meant.'),
  counts: importCounts,
  doubts,
  seen: z.string().describe('To be sent with the import.'),
});
export type ImportPreview = Answer<typeof importPreview>;

const studentsToView = z.object({
  students: z
    .array(
      z.object({
        ...namedStudent,
        name: z.string(),
        places: z
          .array(
            z.object({
              subjectId: id,
              setId: id.nullable().describe('null, like its name and year: Off-Roll'),
              set: z.string().nullable(),
              year: z.int().nullable(),
            }),
          )
          .describe('Where the student is, as far as the user may see it.'),
      }),
    )
    .describe('The first 50: who has the StudentID, then whose StudentID or name begins so, then the others.'),
  count: z.int().describe('How many there are.'),
});
export type StudentsToView = Answer<typeof studentsToView>;

const rowsToMatch = z.strictObject({
  subjectId: id,
  /** only students of these sets */
  setIds: z.array(id).max(1_000).optional(),
  /** as they stand; '': nothing does */
  rows: z
    .array(z.strictObject({ admissionNo: line.max(MAX_LABEL), name: line.max(MAX_LABEL) }))
    .min(1)
    .max(MAX_UPLOAD_ROWS),
});
const matchedStudents = z.object({
  rows: z
    .array(
      z.object({
        row: z.int().describe('From 0.'),
        kind: z
          .enum(['exact', 'certain', 'likely', 'several'])
          .describe(
            'exact: by the StudentID as it stands. certain: by the name, or by a StudentID in another spelling with the name. likely: in part. several: more than one fits.',
          ),
        students: z.array(z.object({ admissionNo: z.string(), name: z.string(), setName: z.string() })),
        damage: damage.exactOptional(),
        differs: z.enum(['id', 'name']).exactOptional().describe('Of a likely one: what does not fit.'),
      }),
    )
    .describe('Rows that mean nobody are left out.'),
});
export type MatchedStudents = Answer<typeof matchedStudents>;

const commandId = id.describe('For undoing it.');
const renamed = z
  .array(z.object({ was: z.string(), is: z.string() }))
  .describe('Sets that are not called any more what the preview called them.');
const rosterChangeUndone = z.object({
  students: z.int().describe('How many are put back.'),
  changedSince: z.int().describe('Of how many something was changed again since, which stays. What was undone does not come back.'),
  setGone: z.int().describe('How many stay where they are, because the set they would be in is gone.'),
  idTaken: z.int().describe('How many keep their StudentID, because somebody else has the one they would have.'),
  already: z.boolean().describe('It was undone before: nothing was done.'),
  commandId,
});
export type RosterChangeUndone = Answer<typeof rosterChangeUndone>;
export const rosterCommands = {
  AddStudent: { input: addStudent, result: z.object({ studentId: id, commandId }) },
  ChangeStudents: {
    input: changeStudents,
    result: z.object({ changed: z.int(), studentIds: z.array(id).describe('Of those who were added, in their order.'), commandId }),
  },
  ImportStudents: { input: importStudents, result: importCounts.extend({ renamed, commandId }) },
  EmptySets: { input: emptySets, result: z.object({ students: z.int().describe('How many were moved.'), commandId }) },
  ForgetStudent: { input: forgetStudent, result: nothing },
  UndoRosterChange: { input: undoRosterChange, result: rosterChangeUndone },
};

export const rosterQueries = {
  'students-to-view': { input: z.object({ find: line.max(200).default('') }), answer: studentsToView },
  'preview-students': { input: importStudents, answer: importPreview },
  /** Whom the rows of a file mean, or of what was pasted. */
  'match-students': { input: rowsToMatch, answer: matchedStudents },
};

export const rosterRecords = {
  students: record({
    subjectId: id,
    studentId: id,
    admissionNo: z.string().nullable().describe('null, like the name: the student was forgotten'),
    name: z.string().nullable(),
    dateOfBirth: z.iso.date().nullable(),
    setId: id.nullable().describe('null: Off-Roll'),
    set: z.string(),
  }),
  removedStudents: record({
    subjectId: id,
    studentId: id,
    admissionNo: z.string(),
    name: z.string(),
    set: z.string().describe('To which a restored student comes back, or Off-Roll.'),
    removedAt: instant,
    removedBy: z.string().nullable().describe('null: the account was forgotten'),
  }),
};
