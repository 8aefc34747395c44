import type { Role } from '../../events/codec/event.ts';

const KB = 1024;
const MB = 1024 * KB;

/**
 * How large the body of a request may be, in bytes. 5,000 students with 50 marks each are 1.5 MB; a student's own marks of a paper are 4 kB.
 */
const MOST = { upload: 8 * MB, other: 256 * KB, notOfStaff: 64 * KB } as const;

/** `upload`: a request with a row for each student or mark. Left out: 256 kB. */
export type Largest = 'upload';

/** In bytes. `role` undefined: nobody is signed in. */
export const mostBytes = (role: Role | undefined, largest: Largest | undefined): number => {
  if (role === undefined || role === 'student') return MOST.notOfStaff;
  return MOST[largest ?? 'other'];
};

/** '8 MB', '256 kB' */
export const inWords = (bytes: number): string => (bytes < MB ? `${bytes / KB} kB` : `${bytes / MB} MB`);
