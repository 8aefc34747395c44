/** The page of own marks and the files of the app: nothing of /api, and nothing that differs between people. */
export const OFFLINE_CACHE = 'marktrail-student';
