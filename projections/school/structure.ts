import type { ReadEventOf } from '../../events/codec/event.ts';
import { idIn, unlessForgotten } from '../../events/aggregate.ts';
import type { schemeEvents } from '../../events/school/scheme.ts';
import type { schoolEvents } from '../../events/school/school.ts';
import { dated, defaultThresholds } from '../../events/school/subject.ts';
import type { subjectEvents } from '../../events/school/subject.ts';
import type { Rows } from '../engine/projection.ts';
import { projection } from '../engine/projection.ts';
import { emptied } from '../engine/tables/personal.ts';
import { deletedSchemes, deletedYearGroups, schemes, schools, sets, subjects, teachers, terminalExams, yearGroups } from './tables.ts';

type Event = ReadEventOf<typeof schoolEvents & typeof subjectEvents & typeof schemeEvents>;
const tables = { schools, subjects, yearGroups, deletedYearGroups, sets, teachers, schemes, deletedSchemes, terminalExams };

/** The structure of a school: its subjects with their year groups, sets, teachers and schemes of work. */
export const structure = projection<Event>()({
  name: 'structure',
  version: 9,
  tables,
  on: [
    'SchoolOpened',
    'SchoolRenamed',
    'SchoolStructureOpened',
    'SchoolStructureClosed',
    'SchoolResultsShown',
    'SchoolResultsHidden',
    'SchoolReportWordsChanged',
    'SubjectAdded',
    'SubjectRenamed',
    'SubjectRemoved',
    'SubjectRestored',
    'YearGroupAdded',
    'YearGroupRenamed',
    'YearGroupDeleted',
    'YearGroupRestored',
    'SetAdded',
    'SetRenamed',
    'SetMovedToYearGroup',
    'SetSchemeChosen',
    'SetAssessmentsChosen',
    'SetThresholdsChanged',
    'SetAssessmentDated',
    'SetDeleted',
    'SetRestored',
    'TeacherAdded',
    'TeacherRenamed',
    'TeacherSetsAssigned',
    'TeacherRemoved',
    'TeacherRestored',
    'TeacherForgotten',
    'TerminalExamAdded',
    'TerminalExamRenamed',
    'TerminalExamYearChanged',
    'TerminalExamRemoved',
    'TerminalExamRestored',
    'SchemeAdded',
    'SchemeRenamed',
    'SchemeTopicsChanged',
    'SchemeDeleted',
    'SchemeRestored',
  ],

  async load(events, rows) {
    const schoolOf = (event: { metadata: { schoolId: string } }) => ({ school_id: event.metadata.schoolId });
    await rows.schools.load(events.map(schoolOf));
    const subjectOrScheme = events.filter(({ stream }) => !stream.startsWith('school-'));
    await rows.subjects.load(
      subjectOrScheme
        .filter(({ stream }) => stream.startsWith('subject-'))
        .map((event) => ({ ...schoolOf(event), subject_id: idIn(event.stream) })),
    );
    const ofSchemes = subjectOrScheme
      .filter(({ stream }) => stream.startsWith('scheme-'))
      .map((event) => ({ ...schoolOf(event), scheme_id: idIn(event.stream) }));
    await rows.schemes.load(ofSchemes);
    await rows.deletedSchemes.load(ofSchemes);
    const ofYearGroups = events.flatMap((event) =>
      'yearGroupId' in event.data ? [{ ...schoolOf(event), year_group_id: event.data.yearGroupId }] : [],
    );
    await rows.yearGroups.load(ofYearGroups);
    await rows.deletedYearGroups.load(ofYearGroups);
    await rows.sets.load(events.flatMap((event) => ('setId' in event.data ? [{ ...schoolOf(event), set_id: event.data.setId }] : [])));
    await rows.teachers.load(
      events.flatMap((event) => ('teacherId' in event.data ? [{ ...schoolOf(event), teacher_id: event.data.teacherId }] : [])),
    );
    await rows.terminalExams.load(
      events.flatMap((event) =>
        'terminalExamId' in event.data ? [{ ...schoolOf(event), terminal_exam_id: event.data.terminalExamId }] : [],
      ),
    );
  },

  apply(event, rows) {
    const school_id = event.metadata.schoolId;
    const subject_id = idIn(event.stream);
    switch (event.type) {
      case 'SchoolOpened':
      case 'SchoolRenamed':
        rows.schools.put({
          school_id,
          structure_open: false,
          results_shown: false,
          report_words: null,
          ...rows.schools.get({ school_id }),
          name: event.data.name,
        });
        break;
      case 'SchoolStructureOpened':
      case 'SchoolStructureClosed': {
        const row = rows.schools.get({ school_id });
        if (row) rows.schools.put({ ...row, structure_open: event.type === 'SchoolStructureOpened' });
        break;
      }
      case 'SchoolResultsShown':
      case 'SchoolResultsHidden': {
        const row = rows.schools.get({ school_id });
        if (row) rows.schools.put({ ...row, results_shown: event.type === 'SchoolResultsShown' });
        break;
      }
      case 'SchoolReportWordsChanged': {
        const row = rows.schools.get({ school_id });
        if (row) rows.schools.put({ ...row, report_words: JSON.stringify(event.data) });
        break;
      }
      case 'SubjectAdded':
      case 'SubjectRenamed':
        rows.subjects.put({
          school_id,
          subject_id,
          removed: false,
          ...rows.subjects.get({ school_id, subject_id }),
          name: event.data.name,
        });
        break;
      case 'SubjectRemoved':
      case 'SubjectRestored': {
        const row = rows.subjects.get({ school_id, subject_id });
        if (row) rows.subjects.put({ ...row, removed: event.type === 'SubjectRemoved' });
        break;
      }
      case 'YearGroupAdded':
      case 'YearGroupRenamed': {
        const key = { school_id, year_group_id: event.data.yearGroupId };
        const { year } = event.data;
        const years = [...(rows.yearGroups.get(key)?.years ?? []), { year, from: event.metadata.at }];
        rows.yearGroups.put({ ...key, subject_id, year, years });
        break;
      }
      case 'YearGroupDeleted':
        move(rows.yearGroups, rows.deletedYearGroups, { school_id, year_group_id: event.data.yearGroupId });
        break;
      case 'YearGroupRestored':
        move(rows.deletedYearGroups, rows.yearGroups, { school_id, year_group_id: event.data.yearGroupId });
        break;
      case 'SetAdded': {
        const { setId, yearGroupId, name, schemeId, thresholds = defaultThresholds } = event.data;
        rows.sets.put({
          school_id,
          set_id: setId,
          subject_id,
          year_group_id: yearGroupId,
          year_groups: [{ yearGroupId, from: event.metadata.at }],
          name,
          scheme_id: schemeId,
          test_ids: [],
          ...thresholds,
          sat_on: {},
          deleted: false,
        });
        break;
      }
      case 'SetRenamed':
        changeSet(rows, school_id, event.data.setId, { name: event.data.name });
        break;
      case 'SetMovedToYearGroup': {
        const { setId, yearGroupId } = event.data;
        const row = rows.sets.get({ school_id, set_id: setId });
        const year_groups = [...(row?.year_groups ?? []), { yearGroupId, from: event.metadata.at }];
        if (row) rows.sets.put({ ...row, year_group_id: yearGroupId, year_groups });
        break;
      }
      case 'SetSchemeChosen':
        changeSet(rows, school_id, event.data.setId, { scheme_id: event.data.schemeId });
        break;
      case 'SetAssessmentsChosen':
        changeSet(rows, school_id, event.data.setId, { test_ids: event.data.testIds });
        break;
      case 'SetThresholdsChanged':
        changeSet(rows, school_id, event.data.setId, event.data.thresholds);
        break;
      case 'SetAssessmentDated': {
        const { setId, testId, satOn } = event.data;
        const row = rows.sets.get({ school_id, set_id: setId });
        if (row) rows.sets.put({ ...row, sat_on: dated(row.sat_on, testId, satOn) });
        break;
      }
      case 'SetDeleted':
      case 'SetRestored':
        changeSet(rows, school_id, event.data.setId, { deleted: event.type === 'SetDeleted' });
        break;
      case 'TeacherAdded':
      case 'TeacherRenamed': {
        const key = { school_id, teacher_id: event.data.teacherId };
        const name = unlessForgotten(event.data.person)?.name ?? null;
        rows.teachers.put({ ...key, subject_id, set_ids: [], removed: false, ...rows.teachers.get(key), name });
        break;
      }
      case 'TeacherSetsAssigned':
        changeTeacher(rows, school_id, event.data.teacherId, { set_ids: event.data.setIds });
        break;
      case 'TeacherRemoved':
      case 'TeacherRestored':
        changeTeacher(rows, school_id, event.data.teacherId, { removed: event.type === 'TeacherRemoved' });
        break;
      case 'TeacherForgotten': {
        const row = rows.teachers.get({ school_id, teacher_id: event.data.teacherId });
        if (row) rows.teachers.put(emptied(teachers, row));
        break;
      }
      case 'TerminalExamAdded': {
        const { terminalExamId, name, yearSat } = event.data;
        rows.terminalExams.put({ school_id, terminal_exam_id: terminalExamId, subject_id, name, year_sat: yearSat, removed: false });
        break;
      }
      case 'TerminalExamRenamed':
        changeExam(rows, school_id, event.data.terminalExamId, { name: event.data.name });
        break;
      case 'TerminalExamYearChanged':
        changeExam(rows, school_id, event.data.terminalExamId, { year_sat: event.data.yearSat });
        break;
      case 'TerminalExamRemoved':
      case 'TerminalExamRestored':
        changeExam(rows, school_id, event.data.terminalExamId, { removed: event.type === 'TerminalExamRemoved' });
        break;
      case 'SchemeAdded':
        rows.schemes.put({ school_id, scheme_id: idIn(event.stream), subject_id: event.data.subjectId, name: event.data.name, topics: [] });
        break;
      case 'SchemeRenamed':
      case 'SchemeTopicsChanged': {
        const row = rows.schemes.get({ school_id, scheme_id: idIn(event.stream) });
        if (row) rows.schemes.put({ ...row, ...event.data });
        break;
      }
      case 'SchemeDeleted':
        move(rows.schemes, rows.deletedSchemes, { school_id, scheme_id: idIn(event.stream) });
        break;
      case 'SchemeRestored':
        move(rows.deletedSchemes, rows.schemes, { school_id, scheme_id: idIn(event.stream) });
        break;
    }
  },

  topics: (event, rows) => {
    // `staff` is what pages of an earlier version follow for the school's name.
    if (event.type.startsWith('School')) return ['subjects', 'staff'];
    if (/^(Subject|TeacherRemoved|TeacherRestored)/u.test(event.type)) return ['subjects', `structure:${idIn(event.stream)}`];
    if (!event.type.startsWith('Scheme')) return [`structure:${idIn(event.stream)}`];
    const key = { school_id: event.metadata.schoolId, scheme_id: idIn(event.stream) };
    const scheme = rows.schemes.get(key) ?? rows.deletedSchemes.get(key);
    return scheme ? [`structure:${scheme.subject_id}`] : [];
  },
});

type Known = Rows<typeof tables>;

const changeSet = (rows: Known, school_id: string, set_id: string, change: object): void => {
  const row = rows.sets.get({ school_id, set_id });
  if (row) rows.sets.put({ ...row, ...change });
};

const changeExam = (rows: Known, school_id: string, terminal_exam_id: string, change: object): void => {
  const row = rows.terminalExams.get({ school_id, terminal_exam_id });
  if (row) rows.terminalExams.put({ ...row, ...change });
};

const changeTeacher = (rows: Known, school_id: string, teacher_id: string, change: object): void => {
  const row = rows.teachers.get({ school_id, teacher_id });
  if (row) rows.teachers.put({ ...row, ...change });
};

/** Moves a row to the table of deleted ones, or back. */
const move = <Key, Row>(from: Shelf<Key, Row>, to: Shelf<Key, Row>, key: Key): void => {
  const row = from.get(key);
  if (row === undefined) return;
  from.delete(key);
  to.put(row);
};
type Shelf<Key, Row> = { get(key: Key): Row | undefined; put(row: Row): void; delete(key: Key): void };
