import type { ActorName } from './world.ts';

/** Who there is in a school, by what they may do. */
export const admins: readonly ActorName[] = ['admin'];
export const examiners: readonly ActorName[] = ['admin', 'auditor'];
export const leaders: readonly ActorName[] = ['admin', 'leader'];
export const writers: readonly ActorName[] = ['admin', 'leader', 'teacherA'];
export const staffOfMaths: readonly ActorName[] = [...writers, 'teacherB'];
export const yearGroup: readonly ActorName[] = ['admin', 'auditor', 'leader', 'teacherA', 'teacherB'];
export const staff: readonly ActorName[] = ['admin', 'auditor', 'leader', 'teacherA', 'teacherB', 'scienceLeader'];
export const signedIn: readonly ActorName[] = [...staff, 'student', 'neighbour'];
export const everybody: readonly ActorName[] = [...signedIn, 'nobody'];
