/**
 * (s) What the documented calls cost: a read against the query behind it, and a write against the same command and the wait until its read
 * model shows it. Over HTTP, by the same person in the same run, one after the other.
 */
import { randomUUID } from 'node:crypto';
import { type Figure, median } from './figures.ts';
import type { Server } from './processes.ts';
import { type School, signIn } from './school.ts';

/** What an adapter may add to a read besides its share, in ms. */
const MORE_MS = 2;
const SHARE = 1.2;

/** `times`: of each pair. */
export const callsFigures = async (product: Server, { markbook, uploads, readers }: School, times: number): Promise<Figure[]> => {
  const cookie = await signIn(product.url, readers[0]!);
  let position = '0';
  const send = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${product.url}/api/${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        'Content-Type': 'application/json',
        'X-Min-Position': position,
        Cookie: cookie,
        Origin: product.url.replace('127.0.0.1', 'localhost'),
      },
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const { yearGroupId, sets, tests } = markbook;
  const [set, test] = [sets[0]!, tests[0]!];
  const asked = (path: string, query: Readonly<Record<string, string>>) => () => send(`${path}?${new URLSearchParams(query)}`);
  const reads: readonly (readonly [of: string, call: () => Promise<unknown>, query: () => Promise<unknown>])[] = [
    [
      'totals of a class (GET /teacher/3)',
      asked('teacher/3', { SetID: set.setId, TestID: test.testId }),
      asked('queries/sheet', { testId: test.testId, setId: set.setId }),
    ],
    [
      'the markbook of a year group (GET /teacher/28)',
      asked('teacher/28', { YeargroupID: yearGroupId }),
      asked('queries/markbook', { yearGroupId }),
    ],
    ['its feedback tasks (GET /leader/17)', asked('leader/17', { YeargroupID: yearGroupId }), asked('queries/tasks', { yearGroupId })],
  ];
  const figures: Figure[] = [];
  for (const [of, call, query] of reads) {
    const { value, limit } = await sideBySide(times, call, query);
    figures.push(against(`${of} by call, ms, against the query behind it`, value, limit, MORE_MS));
  }

  // The same kind of save, of one mark: by the call, which answers when it shows, and by the command, with a query that waits for it. On a test that is
  // not uploaded: an upload keeps the marks that stand there.
  const [typed, paper] = [uploads.sets[0]!, uploads.tests.at(-1)!];
  const questionId = paper.questionIds[0]!;
  const [byCall, byCommand] = typed.studentIds;
  const entryId = randomUUID();
  let mark = 0;
  let seq = 0;
  const value = () => (mark = (mark + 1) % 2);
  const called = () =>
    send('teacher', {
      table: 'QuestionResults',
      data: [{ keyval: { ResultID: null }, values: { StudentID: byCall, QuestionID: questionId, MarkAwarded: value(), EnteredStatus: 1 } }],
    });
  const commanded = async (): Promise<void> => {
    const answer = await send<{ position: string | null }>('commands/EnterMarks', {
      entryId,
      subjectId: uploads.subjectId,
      seq: (seq += 1),
      cells: [{ testId: paper.testId, studentId: byCommand, questionId, is: value() }],
    });
    position = answer.position ?? position;
    await send(`queries/cell?${new URLSearchParams({ testId: paper.testId, studentId: byCommand!, questionId })}`);
  };
  const written = await sideBySide(times, called, commanded);
  return [...figures, against('a mark by call, ms, against its command and a query that waits for it', written.value, written.limit, 0)];
};

/** A figure whose goal is a share of its limit, and something besides. */
const against = (figure: string, value: number, limit: number, more: number): Figure => ({
  figure,
  value,
  limit,
  ratio: value / limit,
  goal: `at most ${SHARE} x${more === 0 ? '' : ` + ${more} ms`}`,
  met: value <= SHARE * limit + more,
});

/** In turns, because a machine's speed changes; of each the median. */
const sideBySide = async (times: number, one: () => Promise<unknown>, other: () => Promise<unknown>) => {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let time = -times / 10; time < times; time++) {
    for (const [work, taken] of time % 2 === 0
      ? ([
          [one, ones],
          [other, others],
        ] as const)
      : ([
          [other, others],
          [one, ones],
        ] as const)) {
      const start = performance.now();
      await work();
      if (time >= 0) taken.push(performance.now() - start);
    }
  }
  return { value: median(ones), limit: median(others) };
};
