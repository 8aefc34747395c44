import type { Actor } from '../../api/actor.ts';
import type { Builder } from './builder.ts';
import { there } from './builder.ts';
import type { Mathematics, Staff } from './mathematics.ts';
import { thisYear, thisYearsSets } from './mathematics.ts';
import type { MarksRow, Paper, Sets, TotalsRow } from './papers.ts';
import { marksIn, totalsIn } from './papers.ts';
import type { Teaching } from './people.ts';

type School = { readonly admin: Actor; readonly staff: Staff; readonly maths: Mathematics; readonly sets: Sets };

/** The demo shows what happens in a school: people work at their own times, make mistakes and correct them. */
export class Autumn {
  readonly #builder: Builder;
  readonly #school: School;

  constructor(builder: Builder, school: School) {
    this.#builder = builder;
    this.#school = school;
  }

  /** Two teachers type, and two correct mistakes. */
  async autumnPaper(): Promise<void> {
    const { calendar } = this.#builder;
    const totals = await totalsIn('history/this_year_autumn_totals.csv');
    const upload = (who: Teaching, file: string, sets: readonly string[], rows: readonly TotalsRow[] = totals) =>
      this.#totals(who, { paper: 'autumn', file, sets, rows });

    calendar.goTo(5, 'Tue', '15:40');
    await this.#typed('autumn', '11X1', totals, { absent: ['M0018'] });
    calendar.goTo(5, 'Tue', '16:20');
    await upload('teacher2', 'autumn_11Y1.csv', ['11Y1'], shifted(this.#school.sets.rowsOf(['11Y1'], totals)));
    calendar.goTo(5, 'Tue', '16:31');
    await this.#undone('teacher2', 'autumn_11Y1.csv');
    calendar.goTo(5, 'Tue', '16:38');
    await upload('teacher2', 'autumn_11Y1_11Y2.csv', ['11Y1', '11Y2']);
    calendar.goTo(5, 'Wed', '08:15');
    const taught = thisYearsSets.teacher3 ?? [];
    const others = this.#school.sets.rowsOf(taught.slice(1), totals);
    await upload('teacher3', 'autumn_11X5_to_11X12.csv', taught, [...shifted(this.#school.sets.rowsOf(['11X5'], totals)), ...others]);
    calendar.goTo(5, 'Wed', '16:00');
    await this.#typed('autumn', '11X2', totals, { absent: ['M0045'] });
    calendar.goTo(5, 'Thu', '10:55');
    await upload('leader', 'autumn_11X4.csv', ['11X4']);
    await upload('teacher4', 'autumn_totals.csv', thisYearsSets.teacher4 ?? []);
    calendar.goTo(5, 'Thu', '12:25');
    await upload('teacher3', 'autumn_11X5_corrected.csv', ['11X5']);
    calendar.goTo(5, 'Thu', '15:50');
    await this.#typed('autumn', '11X3', totals, { absent: ['M0066'], exempt: ['M0080'] });
    calendar.goTo(5, 'Fri', '08:40');
    await upload('teacher5', 'autumn_11Y.csv', thisYearsSets.teacher5 ?? []);
    calendar.goTo(5, 'Fri', '14:10');
    const marks = await marksIn('history/this_year_autumn_results.csv');
    await this.#marks('leader', { paper: 'autumn', file: 'autumn_results.csv', sets: this.#school.sets.names, rows: marks });
  }

  /** Somebody changes sets in October. The earlier marks stay where they are. */
  async studentMoves(): Promise<void> {
    const { calendar, done } = this.#builder;
    const { admin, maths, sets } = this.#school;
    calendar.goTo(6, 'Mon', '10:30');
    const moves = 'M0065';
    const studentId = (await this.#builder.studentIds([moves])).get(moves);
    const [setId] = sets.idsOf(['11X4']);
    await done(admin, 'moves', 'ChangeStudents', { subjectId: maths.subjectId, changes: [{ studentId, place: { setId } }] });
    sets.move(moves, '11X4');
  }

  /** Two tiers. A teacher and the leader enter the same class at the same time, and one class is late. */
  async winterPapers(): Promise<void> {
    const { calendar, done } = this.#builder;
    const { maths, staff } = this.#school;
    const totals = await totalsIn('history/this_year_winter_higher_totals.csv');
    const [open, decided] = ['M0003', 'M0013'];
    calendar.goTo(7, 'Tue', '16:05');
    const typed = totals.map((row) => (row.admissionNo === open || row.admissionNo === decided ? { ...row, totals: [less(row)] } : row));
    await this.#typed('winterHigher', '11X1', typed, {});
    // The leader has checked the file before that, when all cells were empty.
    calendar.goTo(7, 'Tue', '16:20');
    await this.#totals('leader', { paper: 'winterHigher', file: 'winter_higher_totals.csv', sets: thisYear.higher, rows: totals, saw: [] });
    calendar.goTo(7, 'Wed', '08:30');
    const row = there(
      totals.find(({ admissionNo }) => admissionNo === decided),
      decided,
    );
    const [is = 0] = row.totals;
    await done(there(staff.get('teacher1'), 'teacher'), 'winter', 'DecideMark', {
      entryId: this.#builder.idOf('decided'),
      subjectId: maths.subjectId,
      testId: maths.papers.get('winterHigher'),
      studentId: (await this.#builder.studentIds([decided])).get(decided),
      is,
      was: [less(row), is],
    });

    const foundation = thisYear.foundation.filter((set) => set !== LATE);
    calendar.goTo(7, 'Wed', '15:35');
    const file = 'winter_foundation_totals.csv';
    await this.#totals('leader', { paper: 'winterFoundation', file, sets: foundation, rows: await totalsIn(`history/this_year_${file}`) });
    const [higherMarks, foundationMarks] = [
      await marksIn('history/this_year_winter_higher_results.csv'),
      await marksIn('history/this_year_winter_foundation_results.csv'),
    ];
    const marks = (who: Teaching, paper: Paper) => {
      const sets = (thisYearsSets[who] ?? []).filter((set) => set !== LATE);
      const rows = paper === 'winterHigher' ? higherMarks : foundationMarks;
      return this.#marks(who, { paper, file: `winter_${[...new Set([sets.at(0), sets.at(-1)])].join('_to_')}.csv`, sets, rows });
    };
    calendar.goTo(7, 'Thu', '09:20');
    await marks('teacher2', 'winterFoundation');
    calendar.goTo(7, 'Thu', '11:05');
    await marks('teacher3', 'winterHigher');
    calendar.goTo(7, 'Thu', '15:30');
    await marks('teacher1', 'winterHigher');
    await marks('leader', 'winterHigher');
    calendar.goTo(7, 'Fri', '08:25');
    await marks('teacher4', 'winterFoundation');
    calendar.goTo(7, 'Fri', '13:15');
    await marks('teacher5', 'winterFoundation');
  }

  /** After the examination. The marks stay in the history. */
  async studentLeaves(): Promise<void> {
    const { calendar, done } = this.#builder;
    const { admin, maths } = this.#school;
    calendar.goTo(9, 'Fri', '11:00');
    const leaver = 'M0250';
    const studentId = (await this.#builder.studentIds([leaver])).get(leaver);
    await done(admin, 'leaves', 'ChangeStudents', { subjectId: maths.subjectId, changes: [{ studentId, place: 'off-roll' }] });
  }

  /** A class in the grid of its teacher, saved once. */
  async #typed(paper: Paper, set: string, totals: readonly TotalsRow[], away: { absent?: readonly string[]; exempt?: readonly string[] }) {
    const { maths, sets, staff } = this.#school;
    const rows = sets.rowsOf([set], totals);
    const { absent = [], exempt = [] } = away;
    const ids = await this.#builder.studentIds([...rows.map(({ admissionNo }) => admissionNo), ...absent, ...exempt]);
    const testId = maths.papers.get(paper);
    const cell = (admissionNo: string) => ({ studentId: ids.get(admissionNo), testId, was: [] });
    await this.#builder.done(there(staff.get('teacher1'), 'teacher'), `${paper} ${set}`, 'EnterMarks', {
      entryId: this.#builder.idOf(`${paper} ${set}`),
      subjectId: maths.subjectId,
      seq: 1,
      cells: [
        ...rows.map(({ admissionNo, totals: [is] }) => ({ ...cell(admissionNo), is })),
        ...absent.map((admissionNo) => ({ ...cell(admissionNo), attendance: true, is: 'absent' })),
        ...exempt.map((admissionNo) => ({ ...cell(admissionNo), attendance: true, is: 'exempt' })),
      ],
    });
  }

  readonly #uploads = new Map<string, Readonly<Record<string, string>>>();

  async #totals(who: Teaching, { paper, file, sets, rows, saw }: Upload<TotalsRow> & { readonly saw?: readonly [] }): Promise<void> {
    const { maths, staff } = this.#school;
    await this.#builder.settled();
    const uploaded = await this.#builder.done(there(staff.get(who), who), file, 'UploadTotals', {
      subjectId: maths.subjectId,
      fileName: file,
      classes: this.#school.sets.idsOf(sets).map((setId) => ({ setId, testIds: [maths.papers.get(paper)] })),
      rows: this.#school.sets.rowsOf(sets, rows),
      ...(saw === undefined ? {} : { saw }),
    });
    this.#uploads.set(file, uploaded);
  }

  async #marks(who: Teaching, { paper, file, sets, rows }: Upload<MarksRow>): Promise<void> {
    const { maths, staff } = this.#school;
    await this.#builder.settled();
    await this.#builder.done(there(staff.get(who), who), file, 'UploadMarks', {
      subjectId: maths.subjectId,
      testId: maths.papers.get(paper),
      setIds: this.#school.sets.idsOf(sets),
      fileName: file,
      rows: this.#school.sets.rowsOf(sets, rows),
    });
  }

  async #undone(who: Teaching, file: string): Promise<void> {
    const { entryId, commandId } = there(this.#uploads.get(file), file);
    await this.#builder.settled();
    await this.#builder.done(there(this.#school.staff.get(who), who), file, 'UndoCommand', { entryId, commandId });
  }
}

type Upload<Row> = { readonly paper: Paper; readonly file: string; readonly sets: readonly string[]; readonly rows: readonly Row[] };

/** Its winter totals are still missing. */
const LATE = '11Y12';

/** As if one column had been sorted without the others: everybody has somebody else's total. */
const shifted = (rows: readonly TotalsRow[]): TotalsRow[] =>
  rows.map((row, at) => ({ ...row, totals: rows[(at + 1) % rows.length]?.totals ?? [] }));

/** The total of a paper that was added up in a hurry. */
const less = ({ totals: [total] }: TotalsRow): number => (total ?? 0) - 3;
