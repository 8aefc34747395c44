import type { ReadEventOf } from '../../events/codec/event.ts';
import { typesOf } from '../../events/codec/event.ts';
import { idIn, unlessForgotten } from '../../events/aggregate.ts';
import { schemeEvents } from '../../events/school/scheme.ts';
import { schoolEvents } from '../../events/school/school.ts';
import { dated, defaultThresholds, subjectEvents } from '../../events/school/subject.ts';
import type { Rows } from '../engine/projection.ts';
import { projection } from '../engine/projection.ts';
import { emptied } from '../engine/tables/personal.ts';
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
export const structure = projection<Event>()({
  name: 'structure',
  version: 10,
  tables,
  on: typesOf({ ...schoolEvents, ...subjectEvents, ...schemeEvents }),

  async load(events, rows) {
    const schoolOf = (event: { metadata: { schoolId: string } }) => ({ school_id: event.metadata.schoolId });
    await rows.schools.load(events.map(schoolOf));
    const subjectOrScheme = events.filter(({ stream }) => !stream.startsWith('school-'));
    const ofSubjects = subjectOrScheme
      .filter(({ stream }) => stream.startsWith('subject-'))
      .map((event) => ({ ...schoolOf(event), subject_id: idIn(event.stream) }));
    await rows.subjects.load(ofSubjects);
    await rows.deletedSubjects.load(ofSubjects);
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
        rows.subjects.put({ school_id, subject_id, name: event.data.name });
        break;
      case 'SubjectRemoved':
        move(rows.subjects, rows.deletedSubjects, { school_id, subject_id });
        break;
      case 'SubjectRestored':
        move(rows.deletedSubjects, rows.subjects, { school_id, subject_id });
        break;
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
        rows.teachers.put({ ...key, subject_id, set_ids: [], ...rows.teachers.get(key), name });
        break;
      }
      case 'TeacherSetsAssigned':
        for (const shelf of [rows.teachers, rows.deletedTeachers])
          change(shelf, { school_id, teacher_id: event.data.teacherId }, (row) => ({ ...row, set_ids: event.data.setIds }));
        break;
      case 'TeacherRemoved':
        move(rows.teachers, rows.deletedTeachers, { school_id, teacher_id: event.data.teacherId });
        break;
      case 'TeacherRestored':
        move(rows.deletedTeachers, rows.teachers, { school_id, teacher_id: event.data.teacherId });
        break;
      case 'TeacherForgotten':
        for (const shelf of [rows.teachers, rows.deletedTeachers])
          change(shelf, { school_id, teacher_id: event.data.teacherId }, (row) => emptied(teachers, row));
        break;
      case 'TerminalExamAdded': {
        const { terminalExamId, name, yearSat } = event.data;
        rows.terminalExams.put({ school_id, terminal_exam_id: terminalExamId, subject_id, name, year_sat: yearSat });
        break;
      }
      case 'TerminalExamRenamed':
        change(rows.terminalExams, { school_id, terminal_exam_id: event.data.terminalExamId }, (row) => ({
          ...row,
          name: event.data.name,
        }));
        break;
      case 'TerminalExamYearChanged':
        change(rows.terminalExams, { school_id, terminal_exam_id: event.data.terminalExamId }, (row) => ({
          ...row,
          year_sat: event.data.yearSat,
        }));
        break;
      case 'TerminalExamRemoved':
        move(rows.terminalExams, rows.deletedTerminalExams, { school_id, terminal_exam_id: event.data.terminalExamId });
        break;
      case 'TerminalExamRestored':
        move(rows.deletedTerminalExams, rows.terminalExams, { school_id, terminal_exam_id: event.data.terminalExamId });
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

  channels: (event, rows) => {
    if (event.type.startsWith('School')) return ['subjects'];
    if (/^(Subject|TeacherRemoved|TeacherRestored)/u.test(event.type)) return ['subjects', `structure:${idIn(event.stream)}`];
    if (!event.type.startsWith('Scheme')) return [`structure:${idIn(event.stream)}`];
    const key = { school_id: event.metadata.schoolId, scheme_id: idIn(event.stream) };
    const scheme = rows.schemes.get(key) ?? rows.deletedSchemes.get(key);
    return scheme ? [`structure:${scheme.subject_id}`] : [];
  },
});

type Known = Rows<typeof tables>;

const changeSet = (rows: Known, school_id: string, set_id: string, changed: object): void =>
  change(rows.sets, { school_id, set_id }, (row) => ({ ...row, ...changed }));

const change = <Key, Row>(shelf: Shelf<Key, Row>, key: Key, changed: (row: Row) => Row): void => {
  const row = shelf.get(key);
  if (row !== undefined) shelf.put(changed(row));
};

/** Moves a row to the table of deleted ones, or back. */
const move = <Key, Row>(from: Shelf<Key, Row>, to: Shelf<Key, Row>, key: Key): void => {
  const row = from.get(key);
  if (row === undefined) return;
  from.delete(key);
  to.put(row);
};
type Shelf<Key, Row> = { get(key: Key): Row | undefined; put(row: Row): void; delete(key: Key): void };
