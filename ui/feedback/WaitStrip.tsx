import { useWaiting } from '../api/ApiProvider.tsx';
import { Strip } from './Strip.tsx';

const waits = {
  unreachable: 'The server cannot be reached. Trying again…',
  starting: 'Marktrail is starting. One moment…',
  'catching-up': 'The newest marks are still being added up. One moment…',
  busy: 'The server is busy. Trying again…',
} as const;

/** Says why a request takes its time while it is tried again. */
export const WaitStrip = () => {
  const waiting = useWaiting();
  return waiting && <Strip tone="wait" label={waits[waiting]} />;
};
