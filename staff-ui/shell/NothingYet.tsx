import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { useMoment } from '../moment.ts';

/** In place of a page about something that was not there at that moment. */
export const NothingYet = () => {
  const { goTo } = useMoment();
  return (
    <EmptyState title="There was nothing here yet" action={<Button onClick={() => goTo(undefined)}>Back to now</Button>}>
      At that moment this subject, or this year group, was not in Marktrail yet.
    </EmptyState>
  );
};
