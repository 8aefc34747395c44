import { naturalOrder } from '../../contract/order.ts';
import { mayWriteSet } from '../../actor.ts';
import type { UploadClasses } from './uploads.contract.ts';
import { uploadsQueries } from './uploads.contract.ts';
import { admissionKey } from '../../students/students.facts.ts';
import { marksOf } from '../marks.facts.ts';
import { unmatchedOf } from './upload.rules.ts';
import { defineQuery } from '../../common/query.ts';

/** Which classes a file is about, before the tests of its columns are chosen. */
export const uploadClasses = defineQuery({
  largest: 'upload',
  ...uploadsQueries['upload-classes'],
  models: ['structure', 'roster'],
  async run(query, { subjectId, students }, actor): Promise<UploadClasses> {
    const facts = await marksOf(query, {
      subjectId,
      accountId: actor.accountId,
      admissionKeys: students.map(({ admissionNo }) => admissionKey(admissionNo)),
      testIds: [],
    });
    const perSet = new Map<string, number>();
    const unmatched = students.flatMap((row) => {
      const student = facts.byAdmissionKey.get(admissionKey(row.admissionNo));
      if (!student) return [unmatchedOf(facts, row)];
      perSet.set(student.setId, (perSet.get(student.setId) ?? 0) + 1);
      return [];
    });
    const classes = [...facts.sets.values()].flatMap(({ setId, name, year, testIds }) => {
      const count = perSet.get(setId);
      return count === undefined
        ? []
        : [{ setId, name, year, testIds, students: count, mayWrite: mayWriteSet(actor, { setId, subjectId }) }];
    });
    return { classes: classes.sort((a, b) => naturalOrder(a.name, b.name)), unmatched };
  },
});
