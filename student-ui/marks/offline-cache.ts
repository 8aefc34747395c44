/** The page of students, which is the same for all of them, and the files of the app: nothing of /api, and nothing that differs between people. */
export const OFFLINE_CACHE = 'marktrail-student';
