import { test } from 'vitest';
import { isNotFollowed } from './wrong-log.ts';

test('a log in PostgreSQL that is emptied is not followed until it is back', () =>
  isNotFollowed('truncate log.events', 'the log that answers is empty'));
