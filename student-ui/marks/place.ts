export const SUBMIT_PAGE = '/student/submit';

/** The page on which a student enters the marks of a test; also what teachers share. */
export const submitAddress = (testId: string): string => `${SUBMIT_PAGE}?test=${testId}`;
