import { test } from 'vitest';
import { goesAway } from './log-away.ts';

test('a log that cannot be reached: commands are told so, reading goes on, and so does everything when it is back', () =>
  goesAway('cut', 1));
