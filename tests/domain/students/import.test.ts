import { describe, expect, test } from 'vitest';
import { Refused } from '../../../api/common/command.ts';
import { importPlan, ImportStudents } from '../../../api/students/import.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, id, made, stateOf, tagOf } from '../../support/decider.ts';
import { added, corrected, known, moved, offRoll, person, removed, subjectId } from '../../support/roster.ts';

describe('an import', () => {
  const file = (rows: readonly (readonly [admissionNo: string, name: string, set: string, dateOfBirth?: string])[], more: object = {}) => ({
    subjectId,
    fileName: 'students.csv',
    rows: rows.map(([admissionNo, name, set, dateOfBirth = null]) => ({ admissionNo, name, set, dateOfBirth })),
    ...more,
  });
  const imported = (happened: readonly Happened[], input: object) => {
    const [event, ...more] = importStudents(happened, input).events();
    expect(more).toEqual([]);
    if (event?.type !== 'StudentsImported') throw new Error(`not an import: ${event?.type}`);
    return event.data;
  };
  const none = {
    subjectId,
    added: [],
    enrolled: [],
    moved: [],
    corrected: [],
    offRolled: [],
    removed: [],
    about: { fileName: 'students.csv' },
  };
  const newStudent = (admissionNo: string) => made(`student ${tagOf('admission-number', admissionNo)}`);
  const importStudents = deciding(ImportStudents, {}, known);
  const school = [added('Ann', '1'), added('Ben', '2', '11B'), added('Cem', '3')];

  test('holds changes only: new students, those back in the subject, and those in another set', () => {
    expect(
      imported(
        [...school, removed('Ann')],
        file([
          ['1', 'Ann', '11B'],
          ['2', 'Ben', '11B'],
          ['3', 'Cem', '11B'],
          ['4', 'Dee', '11A'],
        ]),
      ),
    ).toEqual({
      ...none,
      added: [{ studentId: newStudent('4'), setId: id('11A'), person: person('4', 'Dee') }],
      enrolled: [{ studentId: id('Ann'), setId: id('11B') }],
      moved: [{ studentId: id('Cem'), setId: id('11B') }],
    });
  });

  test('of what is there already changes nothing', () => {
    importStudents(
      school,
      file([
        ['1', 'Ann', '11A'],
        ['2', 'Ben', '11B'],
      ]),
    ).nothing();
    importStudents(
      school,
      file(
        [
          ['1', 'Ann', '11A'],
          ['2', 'Ben', '11B'],
          ['3', 'Cem', '11A'],
        ],
        { others: 'remove' },
      ),
    ).nothing();
  });

  test('does with the others of the subject as it is told', () => {
    const others = [
      ...school,
      added('Eve', '5'),
      { type: 'StudentEnrolled', data: { studentId: id('Eve'), subjectId: id('science'), setId: id('11S') } } as const,
    ];
    expect(imported(others, file([['9', 'New', '11A']]))).toMatchObject({ offRolled: [], removed: [] });
    expect(imported([...others, offRoll('Ben'), removed('Eve')], file([['1', 'Ann', '11A']], { others: 'off-roll' }))).toEqual({
      ...none,
      offRolled: [id('Cem')],
    });
  });

  test('lets the others be whose year groups are not meant, which are those of the file if nobody says otherwise', () => {
    const years = [...school, offRoll('Ben'), added('Fay', '6', '12A')];
    const facts = { sets: [...known.sets, { setId: id('12A'), name: '12A', yearGroupId: id('Year 12') }] };
    const decided = (more: object) =>
      deciding(ImportStudents, {}, facts)(years, file([['1', 'Ann', '11A']], { others: 'remove', ...more }));
    expect(decided({}).events()).toMatchObject([{ data: { removed: [id('Cem')] } }]);
    expect(decided({ othersIn: [id('Year 12'), 'off-roll'] }).events()).toMatchObject([{ data: { removed: [id('Ben'), id('Fay')] } }]);
    decided({ othersIn: [] }).nothing();
    // Moved up from Year 11: whoever is left behind there is meant, unless it is most of them.
    const up = (...rows: Parameters<typeof file>[0]) => decided({ rows: file(rows).rows }).events();
    expect(up(['1', 'Ann', '12A'], ['6', 'Fay', '12A'])).toMatchObject([{ data: { removed: [] } }]);
    const more = deciding(
      ImportStudents,
      {},
      facts,
    )(
      [...years, added('Dee', '4')],
      file(
        [
          ['1', 'Ann', '12A'],
          ['4', 'Dee', '12A'],
          ['6', 'Fay', '12A'],
        ],
        { others: 'remove' },
      ),
    );
    expect(more.events()).toMatchObject([{ data: { removed: [id('Cem')] } }]);
  });

  test('puts students into the set that the preview meant, whatever it is called by now, and into none if it is deleted', () => {
    const rows = file([['4', 'Dee', '11X']], { sets: [{ name: '11x', setId: id('11B'), called: '11X' }] });
    expect(imported(school, rows).added).toMatchObject([{ setId: id('11B') }]);
    // Another set has its name.
    const swapped = {
      sets: [
        { ...known.sets[0], name: '11B' },
        { ...known.sets[1], name: '11A' },
      ],
    };
    const as11A = file([['4', 'Dee', '11A']], { sets: [{ name: '11A', setId: id('11A'), called: '11A' }] });
    expect(deciding(ImportStudents, {}, swapped)(school, as11A).events()).toMatchObject([{ data: { added: [{ setId: id('11A') }] } }]);
    deciding(
      ImportStudents,
      {},
      { sets: [{ ...known.sets[1], name: '11A' }] },
    )(school, as11A).refused('The set 11A was deleted since this preview. Nothing was stored: choose where these students go.');
  });

  test('takes off roll whom the file has in Off-Roll, and leaves out who is not in the subject', () => {
    expect(
      imported(
        [...school, offRoll('Ben'), removed('Cem')],
        file([
          ['1', 'Ann', 'Off-Roll'],
          ['2', 'Ben', ' off roll'],
          ['3', 'Cem', 'OFFROLL'],
          ['4', 'Dee', 'Off-Roll'],
        ]),
      ),
    ).toEqual({ ...none, offRolled: [id('Ann')] });
  });

  test('brings back who is off-roll', () => {
    expect(imported([...school, offRoll('Ann')], file([['1', 'Ann', '11A']]))).toEqual({
      ...none,
      moved: [{ studentId: id('Ann'), setId: id('11A') }],
    });
  });

  test('asks before it changes a name or a date of birth', () => {
    const changed = file([
      ['1', 'Anne', '11A'],
      ['2', 'Ben', '11B', '2009-05-01'],
      ['3', 'Cem', '11A'],
    ]);
    const refusal = importStudents(school, changed).refusal();
    expect(refusal).toMatchObject({
      code: 'conflict',
      title: '2 student(s) are known by another name or date of birth. Confirm that the file is right.',
    });
    expect(refusal.errors.map(({ path }) => path)).toEqual(['rows.0', 'rows.1']);
    expect(imported(school, { ...changed, correct: true })).toEqual({
      ...none,
      corrected: [
        { studentId: id('Ann'), person: person('1', 'Anne') },
        { studentId: id('Ben'), person: person('2', 'Ben', '2009-05-01') },
      ],
    });
  });

  test('leaves a date of birth as it is where its cell is empty', () => {
    const born = corrected('Ann', '1', 'Ann', '2009-05-01');
    importStudents([...school, born], file([['1', 'Ann', '11A']])).nothing();
    expect(imported([...school, born], { ...file([['1', 'Anne', '11A']]), correct: true })).toEqual({
      ...none,
      corrected: [{ studentId: id('Ann'), person: person('1', 'Anne', '2009-05-01') }],
    });
  });

  test('with a StudentID twice is refused as a whole, whatever the case of its letters', () => {
    importStudents(
      [],
      file([
        ['a1', 'Ann', '11A'],
        ['2', 'Ben', '11A'],
        [' A1', 'Ann', '11B'],
      ]),
    ).refused('Duplicate Student IDs are present in your upload file. Each student must be assigned a unique ID.', 'rows.2.admissionNo');
  });

  test('with sets that are not there is refused as a whole, naming each once', () => {
    const refusal = importStudents(
      [],
      file([
        ['1', 'Ann', '12A'],
        ['2', 'Ben', '11A'],
        ['3', 'Cem', '12A'],
        ['4', 'Dee', '12B'],
        ['5', 'Eve', ' 12a'],
      ]),
    ).refusal();
    expect(refusal.title).toBe('There are no sets of these names: 12A, 12B. Add them first.');
    expect(refusal.errors.map(({ path }) => path)).toEqual(['rows.0.set', 'rows.2.set', 'rows.3.set', 'rows.4.set']);
  });

  test('takes what is stored for right where it is told so, student by student', () => {
    const row = { name: 'Anne', set: '11A', dateOfBirth: null };
    const changed = {
      ...file([]),
      rows: [
        { ...row, admissionNo: '1', details: 'stored' },
        { ...row, admissionNo: '3', name: 'Jem', details: 'file' },
      ],
    };
    expect(imported(school, changed)).toEqual({ ...none, corrected: [{ studentId: id('Cem'), person: person('3', 'Jem') }] });
  });

  test('finds a set whatever the case of its letters', () => {
    expect(imported([], file([['7', 'Flo', ' 11a']])).added.map(({ setId }) => setId)).toEqual([id('11A')]);
  });

  test('is refused where the students are not those of its preview', () => {
    const input = file([['1', 'Ann', '11B']]);
    const seenWith = (happened: readonly Happened[]): string => {
      const roster = happened.length === 0 ? { students: new Map(), byTag: new Map() } : stateOf(happened);
      const plan = importPlan({ ...input, others: 'keep', correct: false, make: [], sets: [] }, roster, known, {
        newId: (label) => label,
        tag: tagOf,
      });
      if (plan instanceof Refused) throw new Error(plan.title);
      return plan.seen;
    };
    imported(school, { ...input, seen: seenWith(school) });
    for (const since of [moved('Ann', '11B'), corrected('Ann', '1', 'Anna'), added('Dee', '4')] as const) {
      importStudents([...school, since], { ...input, seen: seenWith(school) }).refused('Somebody changed the students since this preview.');
    }
  });

  test('finds the same new student again when it is repeated', () => {
    expect(imported([], file([['7', 'Flo', '11A']]))).toEqual(imported([], file([['7', 'Flo', '11A']])));
  });
});
