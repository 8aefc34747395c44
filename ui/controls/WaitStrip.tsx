import type { Retrying } from '../api/requests.ts';
import { useRetrying } from '../api/ApiProvider.tsx';
import { Strip } from './Strip.tsx';

const reading: Record<Retrying['why'], string> = {
  unreachable: 'The server cannot be reached. Trying again…',
  starting: 'Marktrail is starting. One moment…',
  'catching-up': 'The newest marks are still being added up. One moment…',
  earlier: 'Earlier moments are busy just now. Trying again…',
  busy: 'A great many people are using Marktrail just now. Trying again…',
  unavailable: 'Marktrail cannot reach its database. Trying again…',
};

const storing: Record<Retrying['why'], string> = {
  unreachable: 'The server cannot be reached. Nothing that you typed is lost: it is stored as soon as the connection is back.',
  starting: 'Marktrail is starting. Nothing that you typed is lost: it is stored in a moment.',
  'catching-up': 'Earlier marks are still being added up. Nothing that you typed is lost: it is stored in a moment.',
  earlier: 'Earlier moments are busy just now. Nothing that you typed is lost.',
  busy: 'A great many people are using Marktrail just now. Nothing that you typed is lost: it is stored in a moment.',
  unavailable: 'Marks cannot be stored just now. Nothing that you typed is lost: it is stored as soon as that works again.',
};

/** Explains why a request is being retried, and that nothing it would store is lost. */
export const WaitStrip = () => {
  const retrying = useRetrying();
  return retrying && <Strip tone="wait" label={(retrying.storing ? storing : reading)[retrying.why]} />;
};
