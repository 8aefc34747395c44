import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { counted } from '../format.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { useUploadDialogs } from '../upload/request.ts';
import { useTyped, useTyping } from './Typing.tsx';

/** Reminders of totals that were typed but not submitted, such as before a reload. Saves in progress have a strip of their own. */
export const NotStoredYet = () => {
  const { subject } = useSession();
  const { open } = useUploadDialogs();
  const { typed } = useTyping();
  const waiting = Object.entries(useTyped()).filter(([, { form, save }]) => save === undefined && form.subjectId === subject?.subjectId);
  return waiting.map(([key, { form, typed: texts }]) => (
    <Notice
      key={key}
      tone="warn"
      actions={
        <>
          <Button onClick={() => typed.discard(key)}>Discard</Button>
          <Button look="primary" onClick={() => open({ kind: 'totals', by: 'hand', setId: form.setId, testId: form.testId })}>
            Go on
          </Button>
        </>
      }
    >
      <p>
        {counted(Object.keys(texts).length, 'total')} that you typed for {form.title} {Object.keys(texts).length === 1 ? 'is' : 'are'} not
        stored yet.
      </p>
    </Notice>
  ));
};
