/** (c) The product's markbook query, against the same SQL by the owner of the tables on a warm connection. */
import { NOTHING } from '../api/pipeline/about.ts';
import pg from 'pg';
import type { Actor } from '../api/actor.ts';
import { systemActor } from '../api/actor.ts';
import { MARKBOOK, markbook as question } from '../api/marks/markbook.query.ts';
import type { QueryDefinition } from '../api/common/query.ts';
import { Reader } from '../projections/engine/reader.ts';
import { compared, type Figure, inTurn, median } from './figures.ts';
import { type School, STUDENTS } from './school.ts';

/** The owner has no row-level security, and needs no transaction to set the school. */
export const markbookFigure = async (databaseUrl: string, { schoolId, markbook }: School, rounds: number): Promise<Figure> => {
  const { run } = question as unknown as QueryDefinition<{ yearGroupId: string }>;
  const { yearGroupId } = markbook;
  const admin: Actor = { ...systemActor(schoolId), role: 'admin' };
  const reader = new Reader({ databaseUrl, connections: 1 });
  const owner = new pg.Client({ connectionString: databaseUrl, options: '-c search_path=read -c jit=off' });
  await owner.connect();
  try {
    const pairs = await inTurn(
      rounds,
      () =>
        typical(() =>
          reader.readAs(schoolId, (ask) =>
            run(
              (text, values = [], name) => ask({ text, ...(name === undefined ? {} : { name }) }, [schoolId, ...values]),
              { yearGroupId },
              admin,
              NOTHING,
              async () => [],
              () => false,
            ),
          ),
        ),
      () => typical(() => owner.query({ name: 'markbook', text: MARKBOOK, values: [schoolId, yearGroupId, null] })),
    );
    return compared(`markbook of ${STUDENTS} x ${markbook.tests.length}, ms, against the same SQL without row-level security`, pairs, {
      is: '<=',
      than: 1.5,
    });
  } finally {
    await reader.close();
    await owner.end();
  }
};

const typical = async (work: () => Promise<unknown>): Promise<number> => {
  const times = [];
  for (let number = 0; number < 5; number++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
};
