import type { ReadEventOf } from '../../events/codec/event.ts';
import { idIn, unlessForgotten } from '../../events/aggregate.ts';
import type { schemeEvents } from '../../events/school/scheme.ts';
import type { schoolEvents } from '../../events/school/school.ts';
import type { subjectEvents } from '../../events/school/subject.ts';
import { dated, defaultThresholds } from '../../events/school/subject.ts';
import type { RecordedReadEvent, Rows } from '../engine/projection.ts';
import { projectionByType } from '../engine/projection.ts';
import { emptied } from '../engine/tables/personal.ts';
import { move } from '../engine/tables/row-set.ts';
import {
  deletedSchemes,
  deletedSubjects,
  deletedTeachers,
  deletedTerminalExams,
  deletedYearGroups,
  schemes,
  schools,
  sets,
  subjects,
  teachers,
  terminalExams,
  yearGroups,
} from './tables.ts';

type Event = ReadEventOf<typeof schoolEvents & typeof subjectEvents & typeof schemeEvents>;
const tables = {
  schools,
  subjects,
  deletedSubjects,
  yearGroups,
  deletedYearGroups,
  sets,
  teachers,
  deletedTeachers,
  schemes,
  deletedSchemes,
  terminalExams,
  deletedTerminalExams,
};

/** The structure of a school: its subjects with their year groups, sets, teachers and schemes of work. */
export const structure = projectionByType<Event>()({
  name: 'structure',
  version: 10,
  tables,

  async load(events, rows) {
    await rows.schools.load(events.map(schoolOf));
    const ofSubjects = events.filter(({ stream }) => stream.startsWith('subject-')).map(subjectOf);
    await rows.subjects.load(ofSubjects);
    await rows.deletedSubjects.load(ofSubjects);
    const ofSchemes = events.filter(({ stream }) => stream.startsWith('scheme-')).map(schemeOf);
    await rows.schemes.load(ofSchemes);
    await rows.deletedSchemes.load(ofSchemes);
    const ofYearGroups = events.flatMap((event) =>
      'yearGroupId' in event.data ? [{ ...schoolOf(event), year_group_id: event.data.yearGroupId }] : [],
    );
    await rows.yearGroups.load(ofYearGroups);
    await rows.deletedYearGroups.load(ofYearGroups);
    await rows.sets.load(events.flatMap((event) => ('setId' in event.data ? [{ ...schoolOf(event), set_id: event.data.setId }] : [])));
    const ofTeachers = events.flatMap((event) =>
      'teacherId' in event.data ? [{ ...schoolOf(event), teacher_id: event.data.teacherId }] : [],
    );
    await rows.teachers.load(ofTeachers);
    await rows.deletedTeachers.load(ofTeachers);
    const ofExams = events.flatMap((event) =>
      'terminalExamId' in event.data ? [{ ...schoolOf(event), terminal_exam_id: event.data.terminalExamId }] : [],
    );
    await rows.terminalExams.load(ofExams);
    await rows.deletedTerminalExams.load(ofExams);
  },

  changes: {
    SchoolOpened: (event, rows) => nameSchool(event, rows),
    SchoolRenamed: (event, rows) => nameSchool(event, rows),
    SchoolStructureOpened: (event, rows) => rows.schools.update(schoolOf(event), { structure_open: true }),
    SchoolStructureClosed: (event, rows) => rows.schools.update(schoolOf(event), { structure_open: false }),
    SchoolResultsShown: (event, rows) => rows.schools.update(schoolOf(event), { results_shown: true }),
    SchoolResultsHidden: (event, rows) => rows.schools.update(schoolOf(event), { results_shown: false }),
    SchoolReportWordsChanged: (event, rows) => rows.schools.update(schoolOf(event), { report_words: JSON.stringify(event.data) }),

    SubjectAdded: (event, rows) => rows.subjects.put({ ...subjectOf(event), name: event.data.name }),
    SubjectRenamed: (event, rows) => rows.subjects.put({ ...subjectOf(event), name: event.data.name }),
    SubjectRemoved: (event, rows) => move(rows.subjects, rows.deletedSubjects, subjectOf(event)),
    SubjectRestored: (event, rows) => move(rows.deletedSubjects, rows.subjects, subjectOf(event)),

    YearGroupAdded: (event, rows) => nameYearGroup(event, rows),
    YearGroupRenamed: (event, rows) => nameYearGroup(event, rows),
    YearGroupDeleted: (event, rows) => move(rows.yearGroups, rows.deletedYearGroups, yearGroupOf(event)),
    YearGroupRestored: (event, rows) => move(rows.deletedYearGroups, rows.yearGroups, yearGroupOf(event)),

    SetAdded(event, rows) {
      const { yearGroupId, name, schemeId, thresholds = defaultThresholds } = event.data;
      rows.sets.put({
        ...setOf(event),
        subject_id: idIn(event.stream),
        year_group_id: yearGroupId,
        year_groups: [{ yearGroupId, from: event.metadata.at }],
        name,
        scheme_id: schemeId,
        test_ids: [],
        ...thresholds,
        sat_on: {},
        deleted: false,
      });
    },
    SetRenamed: (event, rows) => rows.sets.update(setOf(event), { name: event.data.name }),
    SetMovedToYearGroup(event, rows) {
      const { yearGroupId } = event.data;
      const before = rows.sets.get(setOf(event))?.year_groups ?? [];
      rows.sets.update(setOf(event), {
        year_group_id: yearGroupId,
        year_groups: [...before, { yearGroupId, from: event.metadata.at }],
      });
    },
    SetSchemeChosen: (event, rows) => rows.sets.update(setOf(event), { scheme_id: event.data.schemeId }),
    SetAssessmentsChosen: (event, rows) => rows.sets.update(setOf(event), { test_ids: event.data.testIds }),
    SetThresholdsChanged: (event, rows) => rows.sets.update(setOf(event), event.data.thresholds),
    SetAssessmentDated(event, rows) {
      const { testId, satOn } = event.data;
      rows.sets.update(setOf(event), { sat_on: dated(rows.sets.get(setOf(event))?.sat_on ?? {}, testId, satOn) });
    },
    SetDeleted: (event, rows) => rows.sets.update(setOf(event), { deleted: true }),
    SetRestored: (event, rows) => rows.sets.update(setOf(event), { deleted: false }),

    TeacherAdded: (event, rows) => nameTeacher(event, rows),
    TeacherRenamed: (event, rows) => nameTeacher(event, rows),
    TeacherSetsAssigned(event, rows) {
      for (const table of [rows.teachers, rows.deletedTeachers]) table.update(teacherOf(event), { set_ids: event.data.setIds });
    },
    TeacherRemoved: (event, rows) => move(rows.teachers, rows.deletedTeachers, teacherOf(event)),
    TeacherRestored: (event, rows) => move(rows.deletedTeachers, rows.teachers, teacherOf(event)),
    TeacherForgotten(event, rows) {
      for (const table of [rows.teachers, rows.deletedTeachers]) {
        const row = table.get(teacherOf(event));
        if (row) table.put(emptied(teachers, row));
      }
    },

    TerminalExamAdded(event, rows) {
      const { name, yearSat } = event.data;
      rows.terminalExams.put({ ...examOf(event), subject_id: idIn(event.stream), name, year_sat: yearSat });
    },
    TerminalExamRenamed: (event, rows) => rows.terminalExams.update(examOf(event), { name: event.data.name }),
    TerminalExamYearChanged: (event, rows) => rows.terminalExams.update(examOf(event), { year_sat: event.data.yearSat }),
    TerminalExamRemoved: (event, rows) => move(rows.terminalExams, rows.deletedTerminalExams, examOf(event)),
    TerminalExamRestored: (event, rows) => move(rows.deletedTerminalExams, rows.terminalExams, examOf(event)),

    SchemeAdded(event, rows) {
      const { subjectId, name } = event.data;
      rows.schemes.put({ ...schemeOf(event), subject_id: subjectId, name, topics: [] });
    },
    SchemeRenamed: (event, rows) => rows.schemes.update(schemeOf(event), event.data),
    SchemeTopicsChanged: (event, rows) => rows.schemes.update(schemeOf(event), event.data),
    SchemeDeleted: (event, rows) => move(rows.schemes, rows.deletedSchemes, schemeOf(event)),
    SchemeRestored: (event, rows) => move(rows.deletedSchemes, rows.schemes, schemeOf(event)),
  },

  channels: (event, rows) => {
    if (event.type.startsWith('School')) return ['subjects'];
    if (/^(Subject|TeacherRemoved|TeacherRestored)/u.test(event.type)) return ['subjects', `structure:${idIn(event.stream)}`];
    if (!event.type.startsWith('Scheme')) return [`structure:${idIn(event.stream)}`];
    const scheme = rows.schemes.get(schemeOf(event)) ?? rows.deletedSchemes.get(schemeOf(event));
    return scheme ? [`structure:${scheme.subject_id}`] : [];
  },
});

type Of<Type extends Event['type']> = RecordedReadEvent<Extract<Event, { type: Type }>>;
type Structure = Rows<typeof tables>;

const nameSchool = (event: Of<'SchoolOpened' | 'SchoolRenamed'>, { schools: table }: Structure): void => {
  const before = table.get(schoolOf(event)) ?? { structure_open: false, results_shown: false, report_words: null };
  table.put({ ...before, ...schoolOf(event), name: event.data.name });
};

const nameYearGroup = (event: Of<'YearGroupAdded' | 'YearGroupRenamed'>, { yearGroups: table }: Structure): void => {
  const key = yearGroupOf(event);
  const { year } = event.data;
  const years = [...(table.get(key)?.years ?? []), { year, from: event.metadata.at }];
  table.put({ ...key, subject_id: idIn(event.stream), year, years });
};

const nameTeacher = (event: Of<'TeacherAdded' | 'TeacherRenamed'>, { teachers: table }: Structure): void => {
  const key = teacherOf(event);
  const name = unlessForgotten(event.data.person)?.name ?? null;
  table.put({ ...key, subject_id: idIn(event.stream), set_ids: [], ...table.get(key), name });
};

// Keys of the rows that an event is about

type Recorded<Data = unknown> = { readonly stream: string; readonly metadata: { readonly schoolId: string }; readonly data: Data };
const schoolOf = ({ metadata }: Recorded) => ({ school_id: metadata.schoolId });
const subjectOf = (event: Recorded) => ({ ...schoolOf(event), subject_id: idIn(event.stream) });
const schemeOf = (event: Recorded) => ({ ...schoolOf(event), scheme_id: idIn(event.stream) });
const yearGroupOf = (event: Recorded<{ yearGroupId: string }>) => ({ ...schoolOf(event), year_group_id: event.data.yearGroupId });
const setOf = (event: Recorded<{ setId: string }>) => ({ ...schoolOf(event), set_id: event.data.setId });
const teacherOf = (event: Recorded<{ teacherId: string }>) => ({ ...schoolOf(event), teacher_id: event.data.teacherId });
const examOf = (event: Recorded<{ terminalExamId: string }>) => ({ ...schoolOf(event), terminal_exam_id: event.data.terminalExamId });
