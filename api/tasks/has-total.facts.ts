import { paperOf, STAFF_TOTAL } from '../marks/staff-total.facts.ts';

/** Whether student `e` has a staff total in test `x`. */
export const HAS_TOTAL = `
exists (select from markbook m ${paperOf('m.test_id')}
         where m.school_id = $1 and m.test_id = x.test_id and m.student_id = e.student_id and ${STAFF_TOTAL} is not null)`;
