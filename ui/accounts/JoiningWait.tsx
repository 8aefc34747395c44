import type { JoiningCleared, JoiningWait as Wait } from '#api/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/ApiProvider.tsx';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { useSend } from '../sending/useSend.ts';

/** Often enough for a lesson in which a class joins; only while the page is looked at. */
const EVERY = 30_000;

type JoiningWaitProps = { readonly subject: { readonly subjectId: string; readonly name: string } };

/** Tells staff of a subject that students wait for a place to join, and lets them go on in one click. Nothing while none waits. */
export const JoiningWait = ({ subject: { subjectId, name } }: JoiningWaitProps) => {
  const api = useApi();
  // Beside what the page is about: where it cannot be asked, the page says nothing of it.
  const { data, refetch } = useQuery({
    queryKey: ['joining-wait', subjectId],
    queryFn: ({ signal }) => api.get<Wait>(`/api/door/join/waiting?subjectId=${subjectId}`, { signal }),
    refetchInterval: EVERY,
    refetchOnWindowFocus: true,
  });
  const clearing = useSend({
    act: () => api.auth<JoiningCleared>('/join/clear', { subjectId }),
    notice: () => 'The students go on now.',
    onDone: () => void refetch(),
  });
  const waiting = data?.waiting ?? 0;
  if (waiting === 0) return null;
  return (
    <Notice
      tone="warn"
      title={`${waiting === 1 ? 'One student waits' : `${waiting} students wait`} to join ${name}.`}
      actions={
        <Button disabled={clearing.pending} onClick={() => void clearing.send(undefined)}>
          Let them go on
        </Button>
      }
    >
      <p>
        All places for dates of birth are taken on their network: by students who are joining, or by somebody who is only trying dates. If
        it is your class, let them go on. You can do so three times an hour, and it is recorded.
      </p>
    </Notice>
  );
};
