import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import { unlessForgotten } from '../aggregate.ts';
import type { EventOf, ReadEventOf, Recorded } from '../codec/event.ts';
import { event, sealed } from '../codec/event.ts';
import { id, isoDate, label } from '../fields.ts';

/** Percentages: at or below red is red, above amber is amber, above green is green. */
export const thresholds = z.strictObject({ red: z.int().min(0).max(100), amber: z.int().min(0).max(100), green: z.int().min(0).max(100) });
export type Thresholds = z.infer<typeof thresholds>;
export const defaultThresholds: Thresholds = { red: 0, amber: 40, green: 70 };

/** `tag`: an HMAC of the normalised name, which keeps it unique without being readable. */
const teacherPerson = z.strictObject({ name: z.string(), tag: z.string() });

/** Storage contract of `subject-{schoolId}.{subjectId}`: a subject with its year groups, sets and teachers. */
export const subjectEvents = {
  SubjectAdded: event(1, z.strictObject({ name: label })),
  SubjectRenamed: event(1, z.strictObject({ name: label })),
  /** Hidden with everything in it; restoring brings all of it back. */
  SubjectRemoved: event(1, z.strictObject({})),
  SubjectRestored: event(1, z.strictObject({})),
  /** What follows with the same command, and the rest of its act, is the change to a new school year. `year`: of its September, 2026 for 2026/27. */
  SchoolYearBegun: event(1, z.strictObject({ year: z.int() })),
  YearGroupAdded: event(1, z.strictObject({ yearGroupId: id, year: z.int().min(1) })),
  YearGroupRenamed: event(1, z.strictObject({ yearGroupId: id, year: z.int().min(1) })),
  YearGroupDeleted: event(1, z.strictObject({ yearGroupId: id })),
  /** Back under its old id; sets that were deleted with it come back by events of their own. */
  YearGroupRestored: event(1, z.strictObject({ yearGroupId: id })),
  SetAdded: event(1, z.strictObject({ setId: id, yearGroupId: id, name: label, schemeId: id, thresholds })),
  SetRenamed: event(1, z.strictObject({ setId: id, name: label })),
  /** With its students, who stay in it; where it was until then is history. */
  SetMovedToYearGroup: event(1, z.strictObject({ setId: id, yearGroupId: id })),
  SetSchemeChosen: event(1, z.strictObject({ setId: id, schemeId: id })),
  /** The assessments that the set sits; the complete list each time. */
  SetAssessmentsChosen: event(1, z.strictObject({ setId: id, testIds: z.array(id) })),
  SetThresholdsChanged: event(1, z.strictObject({ setId: id, thresholds })),
  /** The day on which the set sat an assessment; null: what was said before is taken back. */
  SetAssessmentDated: event(1, z.strictObject({ setId: id, testId: id, satOn: isoDate.nullable() })),
  SetDeleted: event(1, z.strictObject({ setId: id })),
  /** Back under its old id, with its scheme of work, assessments, thresholds and teachers. */
  SetRestored: event(1, z.strictObject({ setId: id })),
  TeacherAdded: event(1, z.strictObject({ teacherId: id, person: sealed('teacherId', teacherPerson) })),
  TeacherRenamed: event(1, z.strictObject({ teacherId: id, person: sealed('teacherId', teacherPerson) })),
  /** The sets that the teacher teaches; the complete list each time. */
  TeacherSetsAssigned: event(1, z.strictObject({ teacherId: id, setIds: z.array(id) })),
  TeacherRemoved: event(1, z.strictObject({ teacherId: id })),
  /** Back under the old id, with the teacher's sets. */
  TeacherRestored: event(1, z.strictObject({ teacherId: id })),
  /** The teacher's key was destroyed before this was written. The record stays with its sets, without a name. */
  TeacherForgotten: event(1, z.strictObject({ teacherId: id })),
  /** `yearSat`: the school year in which students sit it, 11 for a GCSE. */
  TerminalExamAdded: event(1, z.strictObject({ terminalExamId: id, name: label, yearSat: z.int().min(1) })),
  TerminalExamRenamed: event(1, z.strictObject({ terminalExamId: id, name: label })),
  TerminalExamYearChanged: event(1, z.strictObject({ terminalExamId: id, yearSat: z.int().min(1) })),
  TerminalExamRemoved: event(1, z.strictObject({ terminalExamId: id })),
  /** Back under its old id. */
  TerminalExamRestored: event(1, z.strictObject({ terminalExamId: id })),
};

export type SubjectEvent = EventOf<typeof subjectEvents>;
export type ReadSubjectEvent = Recorded<ReadEventOf<typeof subjectEvents>>;
export type SetState = {
  yearGroupId: string;
  name: string;
  schemeId: string;
  testIds: readonly string[];
  thresholds: Thresholds;
  /** By assessment, where somebody has said so. */
  satOn: Readonly<Record<string, string>>;
};
/** What was deleted, and by which command: things deleted together are restored together. */
export type Deleted<What> = { readonly what: What; readonly by: string };
/** Both undefined: forgotten. */
export type TeacherState = { tag: string | undefined; name: string | undefined; setIds: readonly string[] };
export type TerminalExamState = { name: string; yearSat: number; removed: boolean };
export type Subject = {
  name: string | undefined;
  removed: boolean;
  yearGroups: Map<string, number>;
  deletedYearGroups: Map<string, Deleted<number>>;
  sets: Map<string, SetState>;
  deletedSets: Map<string, Deleted<SetState>>;
  teachers: Map<string, TeacherState>;
  removedTeachers: Map<string, Deleted<TeacherState>>;
  /** removed ones too */
  forgottenTeachers: Set<string>;
  /** removed ones too */
  terminalExams: Map<string, TerminalExamState>;
};

export const subject: Aggregate<Subject, ReadSubjectEvent> = {
  category: 'subject',
  initial: () => ({
    name: undefined,
    removed: false,
    yearGroups: new Map(),
    deletedYearGroups: new Map(),
    sets: new Map(),
    deletedSets: new Map(),
    teachers: new Map(),
    removedTeachers: new Map(),
    forgottenTeachers: new Set(),
    terminalExams: new Map(),
  }),
  evolve: (state, event) => {
    const changeSet = (setId: string, change: Partial<SetState>): void => {
      const set = state.sets.get(setId);
      if (set) state.sets.set(setId, { ...set, ...change });
    };
    switch (event.type) {
      case 'SubjectAdded':
      case 'SubjectRenamed':
        state.name = event.data.name;
        break;
      case 'SubjectRemoved':
      case 'SubjectRestored':
        state.removed = event.type === 'SubjectRemoved';
        break;
      case 'SchoolYearBegun':
        break;
      case 'YearGroupAdded':
      case 'YearGroupRenamed':
        state.yearGroups.set(event.data.yearGroupId, event.data.year);
        break;
      case 'YearGroupDeleted':
        hide(state.yearGroups, state.deletedYearGroups, event.data.yearGroupId, event.metadata.commandId);
        break;
      case 'YearGroupRestored':
        show(state.yearGroups, state.deletedYearGroups, event.data.yearGroupId);
        break;
      case 'SetAdded': {
        const { setId, ...set } = event.data;
        state.sets.set(setId, { ...set, testIds: [], satOn: {} });
        break;
      }
      case 'SetRenamed':
        changeSet(event.data.setId, { name: event.data.name });
        break;
      case 'SetMovedToYearGroup':
        changeSet(event.data.setId, { yearGroupId: event.data.yearGroupId });
        break;
      case 'SetSchemeChosen':
        changeSet(event.data.setId, { schemeId: event.data.schemeId });
        break;
      case 'SetAssessmentsChosen':
        changeSet(event.data.setId, { testIds: event.data.testIds });
        break;
      case 'SetThresholdsChanged':
        changeSet(event.data.setId, { thresholds: event.data.thresholds });
        break;
      case 'SetAssessmentDated': {
        const { setId, testId, satOn } = event.data;
        changeSet(setId, { satOn: dated(state.sets.get(setId)?.satOn ?? {}, testId, satOn) });
        break;
      }
      case 'SetDeleted':
        hide(state.sets, state.deletedSets, event.data.setId, event.metadata.commandId);
        break;
      case 'SetRestored':
        show(state.sets, state.deletedSets, event.data.setId);
        break;
      case 'TeacherAdded':
      case 'TeacherRenamed': {
        const { teacherId, person } = event.data;
        const details = unlessForgotten(person);
        state.teachers.set(teacherId, { tag: details?.tag, name: details?.name, setIds: state.teachers.get(teacherId)?.setIds ?? [] });
        break;
      }
      case 'TeacherSetsAssigned': {
        const teacher = state.teachers.get(event.data.teacherId);
        if (teacher) teacher.setIds = event.data.setIds;
        break;
      }
      case 'TeacherForgotten':
        state.forgottenTeachers.add(event.data.teacherId);
        forget(state.teachers.get(event.data.teacherId));
        forget(state.removedTeachers.get(event.data.teacherId)?.what);
        break;
      case 'TeacherRemoved':
        hide(state.teachers, state.removedTeachers, event.data.teacherId, event.metadata.commandId);
        break;
      case 'TeacherRestored':
        show(state.teachers, state.removedTeachers, event.data.teacherId);
        break;
      case 'TerminalExamAdded': {
        const { terminalExamId, ...exam } = event.data;
        state.terminalExams.set(terminalExamId, { ...exam, removed: false });
        break;
      }
      case 'TerminalExamRenamed':
      case 'TerminalExamYearChanged': {
        const { terminalExamId, ...change } = event.data;
        const exam = state.terminalExams.get(terminalExamId);
        if (exam) Object.assign(exam, change);
        break;
      }
      case 'TerminalExamRemoved':
      case 'TerminalExamRestored': {
        const exam = state.terminalExams.get(event.data.terminalExamId);
        if (exam) exam.removed = event.type === 'TerminalExamRemoved';
        break;
      }
    }
    return state;
  },
};

/** Dates by assessment, with another one; null: without it. */
export const dated = (dates: Readonly<Record<string, string>>, testId: string, satOn: string | null): Readonly<Record<string, string>> => {
  const { [testId]: _, ...others } = dates;
  return satOn === null ? others : { ...others, [testId]: satOn };
};

const hide = <What>(there: Map<string, What>, deleted: Map<string, Deleted<What>>, key: string, by: string): void => {
  const what = there.get(key);
  if (what === undefined) return;
  there.delete(key);
  deleted.set(key, { what, by });
};

const show = <What>(there: Map<string, What>, deleted: Map<string, Deleted<What>>, key: string): void => {
  const hidden = deleted.get(key);
  if (hidden === undefined) return;
  deleted.delete(key);
  there.set(key, hidden.what);
};

const forget = (teacher: TeacherState | undefined): void => {
  if (!teacher) return;
  teacher.tag = undefined;
  teacher.name = undefined;
};
