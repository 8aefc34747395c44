import { expect } from 'vitest';
import type { EventStore } from '../../events/store/port.ts';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import { admissionNo, openSchool } from '../support/school.ts';
import { marksIn } from '../support/marks.ts';
import { openProduct } from '../support/product.ts';

/**
 * A smoke run on a log that is elsewhere: a school is made, marks are uploaded, the markbook shows them, and still does after a restart.
 *
 * @param join the log, for one more process
 */
export const wholeProduct = async (join: () => EventStore): Promise<void> => {
  const school = await openSchool({ store: async () => join() });
  try {
    const { newTest, upload, totalInMarkbook } = marksIn(() => school);
    const testId = await newTest();
    await upload(await school.as('leader'), testId, { A1: [12], B2: [7] });
    expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: 12 });

    const again = await openProduct(school.databaseUrl, { store: async () => join() });
    const leader = await school.signIn('leader', again);
    const { tests, students } = await leader.ask<Markbook>('markbook', { yearGroupId: school.ids.year });
    const place = tests.findIndex((one) => one.testId === testId);
    expect(students.find((one) => one.admissionNo === admissionNo('B2'))?.totals[place]).toMatchObject({ total: 7 });
    await expect.poll(async () => (await again.backend.health()).problems).toEqual([]);
    await again.close();
  } finally {
    await school.close();
  }
};
