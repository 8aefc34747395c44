import { Suspense } from 'react';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { lazily } from '../../ui/lazily.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { useOwnMarkDrafts, useOwnMarks } from './OwnMarksProvider.tsx';
import type { WaitingTest } from './own-mark-drafts.ts';
import { waitingTests } from './own-mark-drafts.ts';
import { submitAddress } from './place.ts';
import { useToSubmit } from './queries.ts';

const WaitingElsewhere = lazily(() => import('../../ui/marks/WaitingElsewhere.tsx'), 'WaitingElsewhere');

/** On every page of a student: marks that wait on this device, but for those of the test whose form is shown. Staff are shown their own. */
export const NotStoredYet = () =>
  useSession().me.role === 'student' ? (
    <Waitings />
  ) : (
    <Suspense fallback={null}>
      <WaitingElsewhere />
    </Suspense>
  );

const Waitings = () => {
  const seen = useOwnMarkDrafts();
  const { shown } = useOwnMarks();
  const waiting = waitingTests(seen);
  const elsewhere = waiting.filter(({ testId }) => testId !== shown);
  return (
    <>
      {!seen.isKept && waiting.length > 0 && (
        <Notice tone="warn" title="This browser keeps nothing for later.">
          What you type is lost with this page until it is stored: do not close it before.
        </Notice>
      )}
      {elsewhere.length > 0 && <Elsewhere waiting={elsewhere} />}
    </>
  );
};

const Elsewhere = ({ waiting }: { readonly waiting: readonly WaitingTest[] }) => {
  const { drafts } = useOwnMarks();
  const { data } = useToSubmit();
  return waiting.map(({ testId, marks, isSubmitted, keys, reason }) => {
    // Names of tests are not kept on the device.
    const name = data?.tests.find((one) => one.testId === testId)?.name;
    const of = name === undefined ? '' : ` for ${name}`;
    return (
      <Notice
        key={testId}
        tone="warn"
        actions={
          <>
            {reason !== undefined && <Button onClick={() => drafts.discard(keys)}>Discard</Button>}
            <AppLink className={buttonClass()} to={submitAddress(testId)}>
              Open
            </AppLink>
          </>
        }
      >
        <p>
          {isSubmitted
            ? `The marks that you submitted${of} wait on this device.`
            : `${marks} ${marks === 1 ? 'mark' : 'marks'}${of} ${marks === 1 ? 'waits' : 'wait'} on this device.`}
          {reason !== undefined && ` ${reason}`}
        </p>
      </Notice>
    );
  });
};
