import type { Preparing } from '#api/contract/preparing';
import type { Retrying } from '../api/requests.ts';
import { useRetrying } from '../api/ApiProvider.tsx';
import { Strip } from './Strip.tsx';

const reading: Record<Retrying['why'], string> = {
  unreachable: 'The server cannot be reached. Trying again…',
  starting: 'Marktrail is starting. One moment…',
  'catching-up': 'The newest marks are still being added up. One moment…',
  earlier: 'Earlier moments are busy just now. Trying again…',
  preparing: 'Putting the page of that moment together…',
  busy: 'A great many people are using Marktrail just now. Trying again…',
  unavailable: 'Marktrail cannot reach its database. Trying again…',
};

const storing: Record<Retrying['why'], string> = {
  unreachable: 'The server cannot be reached. Nothing that you typed is lost: it is stored as soon as the connection is back.',
  starting: 'Marktrail is starting. Nothing that you typed is lost: it is stored in a moment.',
  'catching-up': 'Earlier marks are still being added up. Nothing that you typed is lost: it is stored in a moment.',
  earlier: 'Earlier moments are busy just now. Nothing that you typed is lost.',
  preparing: 'An earlier moment is being put together. Nothing that you typed is lost.',
  busy: 'A great many people are using Marktrail just now. Nothing that you typed is lost: it is stored in a moment.',
  unavailable: 'Marks cannot be stored just now. Nothing that you typed is lost: it is stored as soon as that works again.',
};

const Preparation = ({ done, total }: Preparing) => (
  <Strip label={`Putting the page of that moment together: ${count(done)} of ${count(total)} events`} done={done / total} />
);
const count = (events: number): string => events.toLocaleString('en-GB');

/** Explains why a request is being retried, and that nothing it would store is lost. */
export const WaitStrip = () => {
  const retrying = useRetrying();
  if (!retrying) return undefined;
  const { why, preparing } = retrying;
  if (!retrying.storing && preparing && preparing.total > 0) return <Preparation {...preparing} />;
  return <Strip tone="wait" label={(retrying.storing ? storing : reading)[why]} />;
};
