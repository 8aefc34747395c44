import { describe, expect, test } from 'vitest';
import type { Me } from '../../../api/accounts/accounts.contract.ts';
import type { Mappings } from '../../../api/assessments/mapping/mapping.contract.ts';
import type { CellHistory, Markbook } from '../../../api/marks/marks.contract.ts';
import type { SubmissionPage, ToSubmit, Tracker } from '../../../api/marks/submissions/submissions.contract.ts';
import type { PriorSummary } from '../../../api/prior/prior.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import type { RecentUploads } from '../../../api/marks/upload/uploads.contract.ts';
import { demoSchool } from '../../../run/demo/demo.ts';
import { people } from '../../../run/demo/people.ts';
import { Client } from '../../support/client.ts';
import { openedAnew } from '../../support/opened-anew.ts';
import { emptyProduct, eventsIn } from '../../support/demo-past.ts';
import type { Product } from '../../support/product.ts';

/** The demo school has a past: two school years, in which people work at their own times, make mistakes and correct them. */
const silent = (): void => undefined;

describe('built today', () => {
  let product: Product;
  let subjectId: string;
  let yearGroupId: string;
  const clients = new Map<string, Client>();
  const as = async (who: keyof typeof people): Promise<Client> => {
    const client = clients.get(who) ?? new Client(product);
    if (!clients.has(who)) await client.signIn(people[who].email, 'marktrail-demo');
    clients.set(who, client);
    return client;
  };

  openedAnew(async (atEnd) => {
    clients.clear();
    product = await emptyProduct(atEnd);
    await demoSchool(product.backend, silent);
    const leader = await as('leader');
    subjectId = (await leader.ask<Me>('me')).subjects[0]?.subjectId ?? '';
    yearGroupId = (await structure()).yearGroups[0]?.yearGroupId ?? '';
  });

  const structure = async (): Promise<Structure> => (await as('leader')).ask<Structure>('structure', { subjectId });
  const markbook = async (asOf?: string): Promise<Markbook> => {
    const answer = await (await as('leader')).query('markbook', { yearGroupId }, asOf === undefined ? {} : { asOf });
    expect(answer.status).toBe(200);
    return answer.body as unknown as Markbook;
  };
  /** The total of a student in the test whose name begins so. */
  const totalIn = ({ tests, students }: Markbook, no: string, test: string) =>
    students.find(({ admissionNo }) => admissionNo === no)?.totals[tests.findIndex(({ name }) => name.startsWith(test))];
  /** 20 June of the last school year. */
  const lastJune = async (): Promise<string> => {
    const year = Math.max(...(await eventsIn(product)).map(({ metadata }) => new Date(metadata.at).getUTCFullYear()));
    return `${year}-06-20T12:00:00Z`;
  };

  test('its times are in the order of its log, spread over more than a year, and none lies in the future', async () => {
    const times = (await eventsIn(product)).map(({ metadata }) => metadata.at);
    expect(times).toEqual(times.toSorted());
    expect(Date.parse(times.at(-1) ?? '')).toBeLessThan(Date.now());
    expect(new Set(times.map((at) => at.slice(0, 10))).size).toBeGreaterThan(20);
  });

  test('this year has 26 sets and a student who left; as of last June there are the six sets of those who have left', async () => {
    const now = await markbook();
    expect(now.sets).toHaveLength(26);
    expect(now.students).toHaveLength(728);
    expect(now.tests.map(({ name }) => name)).toEqual([
      'Autumn assessment (simulated)',
      'Winter assessment, Foundation (simulated)',
      'Winter assessment, Higher (simulated)',
      'Written examination',
    ]);
    const then = await markbook(await lastJune());
    expect(then.sets.map(({ name }) => name)).toEqual(['11M1', '11M2', '11M3', '11M4', '11M5', '11M6']);
    expect(then.students).toHaveLength(180);
    // The reference figures of run/demo/history/README.md.
    const figures = then.tests.map(({ name, count, mean, sd }) => [name, count, mean?.toFixed(4), sd?.toFixed(4)]);
    expect(figures).toEqual([
      ['Autumn assessment (simulated)', 168, '20.3690', '7.6742'],
      ['Spring mock (simulated)', 171, '41.7018', '14.0037'],
      ['Winter assessment, Foundation (simulated)', 88, '29.7386', '7.4115'],
      ['Winter assessment, Higher (simulated)', 86, '31.3721', '8.2804'],
    ]);
  });

  test('three were absent and one is exempt, and one class is late', async () => {
    const now = await markbook();
    const away = now.students.flatMap(({ admissionNo, totals }) =>
      totals.flatMap(({ attendance }) => (attendance === 'sat' ? [] : [[admissionNo, attendance]])),
    );
    expect(away).toEqual(
      expect.arrayContaining([
        ['M0018', 'absent'],
        ['M0045', 'absent'],
        ['M0066', 'absent'],
        ['M0080', 'exempt'],
      ]),
    );
    expect(away).toHaveLength(4);
    const late = now.sets.find(({ name }) => name === '11Y12')?.setId;
    const winter = now.tests.findIndex(({ name }) => name.startsWith('Winter assessment, Foundation'));
    const totalsOf = (setId: string | undefined) =>
      now.students.filter((student) => student.setId === setId).map(({ totals }) => totals[winter]?.total ?? null);
    expect(totalsOf(late).every((total) => total === null)).toBe(true);
    expect(totalsOf(now.sets.find(({ name }) => name === '11Y11')?.setId).filter((total) => total !== null).length).toBeGreaterThan(25);
  });

  test('one contested total waits for a decision, and one was decided by the teacher, with both values in its history', async () => {
    const now = await markbook();
    const contested = now.students
      .filter(({ totals }) => totals.some(({ flags }) => flags?.includes('contested')))
      .map(({ admissionNo }) => admissionNo);
    expect(contested).toEqual(['M0003']);
    const testId = now.tests.find(({ name }) => name.includes('Higher'))?.testId;
    const studentId = now.students.find(({ admissionNo }) => admissionNo === 'M0013')?.studentId;
    const history = await (await as('teacher1')).ask<CellHistory>('cell', { testId, studentId });
    expect(history.reading).toEqual({ state: 'counts', value: 49 });
    expect(history.changes.map(({ how, is, by }) => [how, is, by])).toEqual([
      ['typed', 46, 'Tom Hughes'],
      ['upload', 49, 'Grace Bell'],
      ['decided', 49, 'Tom Hughes'],
    ]);
    // The next morning.
    const [, uploaded, decided] = history.changes;
    expect(Date.parse(decided?.at ?? '') - Date.parse(uploaded?.at ?? '')).toBeGreaterThan(12 * 3_600_000);
  });

  test('an upload was undone, a wrong file was corrected, and everybody works at their own times', async () => {
    const { uploads } = await (await as('leader')).ask<RecentUploads>('uploads', { subjectId });
    expect(uploads.filter(({ undone }) => undone).map(({ fileName, by }) => [fileName, by])).toEqual([['autumn_11Y1.csv', 'Priya Shah']]);
    expect(new Set(uploads.map(({ by }) => by))).toEqual(
      new Set(['Grace Bell', 'Tom Hughes', 'Priya Shah', 'Daniel Okafor', 'Megan Price', 'Samir Haddad']),
    );
    const now = await markbook();
    const cell = async (no: string, who: 'teacher2' | 'teacher3') => {
      const studentId = now.students.find(({ admissionNo }) => admissionNo === no)?.studentId;
      const { changes } = await (await as(who)).ask<CellHistory>('cell', { testId: now.tests[0]?.testId, studentId });
      return changes.map(({ is, fileName, undone }) => [is, fileName, undone]);
    };
    expect(await cell('M0335', 'teacher2')).toEqual([
      [27, 'autumn_11Y1.csv', true],
      [17, 'autumn_11Y1_11Y2.csv', false],
    ]);
    expect((await cell('M0121', 'teacher3')).map(([, fileName]) => fileName)).toEqual([
      'autumn_11X5_to_11X12.csv',
      'autumn_11X5_corrected.csv',
    ]);
    // After all mistakes the totals are those of the file.
    expect([totalIn(now, 'M0335', 'Autumn')?.total, totalIn(now, 'M0001', 'Autumn')?.total]).toEqual([17, 31]);
    const { count, mean } = now.tests[0] ?? {};
    expect([count, mean]).toEqual([expect.closeTo(699, -1), expect.closeTo(20.05, 1)]);
  });

  test('a student changed sets in October and takes the marks along', async () => {
    const [, september] = (await eventsIn(product))
      .map(({ metadata }) => metadata.at)
      .filter((at) => at.slice(5, 7) === '09')
      .toReversed();
    const place = ({ sets, students }: Markbook) => {
      const { setId } = students.find(({ admissionNo }) => admissionNo === 'M0065') ?? {};
      return sets.find((set) => set.setId === setId)?.name;
    };
    expect([place(await markbook(september)), place(await markbook())]).toEqual(['11X3', '11X4']);
    expect(totalIn(await markbook(), 'M0065', 'Autumn')?.total).toEqual(expect.any(Number));
  });

  test('half of 11X1 have entered their own marks of the examination, one with another total than the teacher, and have more to do', async () => {
    const { sets, tests, students } = await markbook();
    const setId = sets.find(({ name }) => name === '11X1')?.setId;
    const { testId } = tests.find(({ name }) => name === 'Written examination') ?? {};
    const tracker = await (await as('teacher1')).ask<Tracker>('tracker', { testId, setId });
    expect(tracker.counts).toEqual({ incomplete: 15, student: 15, staff: 0 });
    const noOf = (studentId: string) => students.find((one) => one.studentId === studentId)?.admissionNo;
    const differing = tracker.students.filter(({ mismatch }) => mismatch);
    expect(differing.map(({ studentId, total, staffTotal }) => [noOf(studentId), (staffTotal ?? 0) - (total ?? 0)])).toEqual([
      ['M0005', 1],
    ]);
    // In the afternoon, in the evening and the next morning.
    const days = new Set(tracker.students.flatMap(({ at }) => (at === null ? [] : [at.slice(0, 10)])));
    expect(days.size).toBe(2);

    const sophie = await as('student1');
    expect(await sophie.ask<SubmissionPage>('submission', { testId })).toMatchObject({
      state: 'confirmed',
      mismatch: false,
      message: null,
    });
    expect((await sophie.ask<ToSubmit>('to-submit')).tests).toMatchObject([
      { name: 'Energy and forces test', subject: 'Science', state: 'none', staffTotal: 8 },
    ]);
    const rhys = new Client(product);
    await rhys.signIn('m0005@demo.example', 'marktrail-demo');
    expect((await rhys.ask<Me>('me')).name).toBe('Rhys Mensah');
    expect(await rhys.ask<SubmissionPage>('submission', { testId })).toMatchObject({ mismatch: true, mayReopen: true });
  });

  test('grades of an earlier exam are there for both year groups, and the final grades of those who have left', async () => {
    const leader = await as('leader');
    const exams = async (asOf?: string) => {
      const answer = await leader.query('prior-summary', { subjectId, yearGroupId }, asOf === undefined ? {} : { asOf });
      const { exams: all } = answer.body as unknown as PriorSummary;
      return all.map(({ name, scores, enough, type }) => [name, scores, enough, type]);
    };
    expect(await exams()).toEqual([
      ['Year 9 examination (simulated)', 709, true, 'letter'],
      ['GCSE Mathematics (simulated)', 0, false, null],
    ]);
    const graded = (await eventsIn(product)).findLast(
      ({ type, metadata }) => type === 'PriorScoresUploaded' && metadata.at.slice(5, 7) === '08',
    );
    expect(await exams(graded?.metadata.at)).toEqual([
      ['Year 9 examination (simulated)', 170, true, 'letter'],
      ['GCSE Mathematics (simulated)', 180, true, 'number'],
    ]);
  });

  test('every question and every topic of the schemes is bound, and three topics are predicted only through what they need', async () => {
    const { schemes, tests, tree } = await (await as('leader')).ask<Mappings>('mappings', { subjectId });
    expect(tree?.title).toBe('GCSE Mathematics');
    const questions = tests.flatMap((one) => one.questions);
    expect(questions).toHaveLength(10 + 12 + 12 + 20 + 13);
    expect(questions.filter(({ topicIds }) => topicIds.length === 0)).toEqual([]);
    const topics = schemes.flatMap((scheme) => scheme.topics);
    expect(topics).toHaveLength(13 + 20);
    expect(topics.filter(({ topicIds }) => topicIds.length === 0)).toEqual([]);

    const needed = (name: string) => topics.find((topic) => topic.name === name)?.questionIds.length;
    expect([needed('Pythagoras'), needed('Trigonometry'), needed('Indices')]).toEqual([expect.any(Number), expect.any(Number), 0]);
    expect(Math.min(needed('Pythagoras') ?? 0, needed('Trigonometry') ?? 0)).toBeGreaterThan(0);

    // From the papers that the foundation sets have sat.
    const sat = tests.filter(({ name }) => /^Autumn|Foundation/.test(name)).flatMap((one) => one.questions);
    const scheme = schemes.find(({ name }) => name === 'GCSE Mathematics');
    const predicted = scheme?.topics.filter(({ topicIds }) =>
      sat.some((question) => question.topicIds.some((id) => topicIds.includes(id))),
    );
    const onlySo = predicted?.filter(({ name }) => !sat.some(({ topic }) => topic === name)).map(({ name }) => name);
    expect(onlySo).toEqual(expect.arrayContaining(['Trigonometry', 'Scatter graphs', 'Circle theorems', 'Functions']));
  });
});
