import type { Flags } from '#api/contract/flags';
import { withSigns } from '#api/contract/flags';

export const SUBMIT_PAGE = '/student/submit';
/** What opens without a network: the pages below it, but for the one where staff choose a student. */
export const STUDENT_PAGES = '/student';
export const SELECT_PAGE = '/student/select';

/** The page of students, which is the same for all of them, and the files of the app: nothing of /api, and nothing that differs between people. */
export const OFFLINE_CACHE = 'marktrail-student';

/** The page on which a student enters the marks of a test; also what teachers share. */
export const submitAddress = (testId: string): string => `${SUBMIT_PAGE}?test=${testId}`;

type StaffTotal = { readonly staffTotal: number | null; readonly flags?: Flags };
/** '58 ?' */
export const staffTotalText = ({ staffTotal, flags }: StaffTotal): string => withSigns(String(staffTotal), flags);

/** 'you submitted 60, your teacher’s total is 58' */
export const mismatchText = (totals: StaffTotal & { readonly confirmedTotal: number | null }): string =>
  `you submitted ${totals.confirmedTotal}, your teacher’s total is ${staffTotalText(totals)}`;
