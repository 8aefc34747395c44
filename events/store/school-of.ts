import type { StreamId } from './port.ts';

/** The school in a stream's name; NO_SCHOOL for any other stream, which no command writes. */
export const schoolOf = (stream: StreamId): string => SCHOOL.exec(stream)?.[1] ?? NO_SCHOOL;

export const NO_SCHOOL = '00000000-0000-0000-0000-000000000000';

const SCHOOL = /^[a-z]+-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\.|$)/;
