import { UUID_TEXT } from '../uuid.ts';
import type { StreamId } from './port.ts';

/** The school in a stream's name; NO_SCHOOL for any other stream, which no command writes. */
export const schoolOf = (stream: StreamId): string => SCHOOL.exec(stream)?.[1] ?? NO_SCHOOL;

export const NO_SCHOOL = '00000000-0000-0000-0000-000000000000';

const SCHOOL = new RegExp(`^[a-z]+-(${UUID_TEXT})(?:\\.|$)`);
