import type { ReactNode } from 'react';
import { useState } from 'react';
import { sentence } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { useSession } from '../../../ui/session/Session.tsx';

type NotSeenProps = {
  readonly testId: string;
  readonly name: string;
  readonly isVisible: boolean;
  /** What leads students to it. */
  readonly children: ReactNode;
};

/** Nothing leads students to an assessment that they do not see: that is said, and whoever may shows it to them. */
export const NotSeen = ({ testId, name, isVisible, children }: NotSeenProps) => {
  const { me } = useSession();
  const mayShow = me.role === 'admin' || me.role === 'leader';
  /** It was shown from here, and can be hidden again. */
  const [isShown, setShown] = useState(false);
  const { send, pending, error } = useCommand('ShowAssessment', {
    input: (visible: boolean) => ({ testId, visible }),
    invalidates: ['structure', 'marks'],
    showsError: true,
    onDone: (_answer, visible) => setShown(visible),
  });
  const failed = error !== undefined && <Notice tone="bad" title={sentence(error)} />;
  if (!isVisible)
    return (
      <>
        <Notice
          tone="warn"
          title={`Students do not see ${name}.`}
          actions={
            mayShow && (
              <Button disabled={pending} onClick={() => void send(true)}>
                Show it to students
              </Button>
            )
          }
        >
          <p>
            A link would lead them nowhere. Once it is shown, all of its students can submit marks, and see their own results.
            {!mayShow && ' Your subject leader or an admin can show it to them.'}
          </p>
        </Notice>
        {failed}
      </>
    );
  return (
    <>
      {isShown && (
        <Notice
          tone="good"
          title={`Students see ${name} now.`}
          actions={
            <Button disabled={pending} onClick={() => void send(false)}>
              Undo
            </Button>
          }
        />
      )}
      {failed}
      {children}
    </>
  );
};
