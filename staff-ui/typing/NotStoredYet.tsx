import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { counted } from '../format.ts';
import { useStructure } from '../queries.ts';
import { useUploadDialogs } from '../upload/request.ts';
import type { Form } from './queue.ts';
import { totalKey, unsubmitted } from './queue.ts';
import { useTyped, useTyping } from './Typing.tsx';

/** Reminders of totals that were typed but not submitted, such as before a reload. Saves in progress have a strip of their own. */
export const NotStoredYet = () => {
  const { subject } = useSession();
  const kept = useTyped();
  const waiting = unsubmitted(kept).filter(({ form }) => form.subjectId === subject?.subjectId);
  return (
    <>
      {!kept.isKept && Object.keys(kept.drafts).length > 0 && (
        <Notice tone="warn" title="This browser keeps nothing for later.">
          What you type is lost with this page until it is stored: submit it before you close the page.
        </Notice>
      )}
      {waiting.map(({ form, keys }) => (
        <Waiting key={totalKey(form, '')} form={form} keys={keys} />
      ))}
    </>
  );
};

const Waiting = ({ form, keys }: { readonly form: Form; readonly keys: readonly string[] }) => {
  const { typed } = useTyping();
  const { open } = useUploadDialogs();
  const title = useTitle(form);
  return (
    <Notice
      tone="warn"
      actions={
        <>
          <Button onClick={() => typed.discard(keys)}>Discard</Button>
          <Button look="primary" onClick={() => open({ kind: 'totals', by: 'hand', setId: form.setId, testId: form.testId })}>
            Go on
          </Button>
        </>
      }
    >
      <p>
        {counted(keys.length, 'total')} that you typed{title} {keys.length === 1 ? 'is' : 'are'} not stored yet.
      </p>
    </Notice>
  );
};

/** Names of classes and tests are not kept on the device. */
const useTitle = ({ setId, testId }: Form): string => {
  const { data } = useStructure();
  const set = data?.yearGroups.flatMap(({ sets }) => sets).find((one) => one.setId === setId);
  const test = data?.tests.find((one) => one.testId === testId);
  return set && test ? ` for ${set.name}, ${test.name}` : '';
};
