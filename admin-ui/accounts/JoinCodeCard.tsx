import { Button, TextField } from '@mui/material';
import { useState } from 'react';
import { Confirm } from '../../ui/controls/Confirm.tsx';
import { sentence } from '../../ui/api/failure.ts';
import { useCommand } from '../../ui/sending/useSend.ts';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { JoiningWait } from '../../ui/accounts/JoiningWait.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import type { useSession } from '../../ui/session/Session.tsx';
import { Typed } from '../dialog/FormDialog.tsx';
import { StickersDialog } from './StickersDialog.tsx';
import styles from './Users.module.css';
import type { JoinCode } from '#api/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../ui/api/ApiProvider.tsx';

type Subject = NonNullable<ReturnType<typeof useSession>['subject']>;

/** The joining code of a subject, and the e-mail domain its students must use. */
export const JoinCodeCard = ({ subject }: { readonly subject: Subject }) => {
  const { subjectId } = subject;
  const { data, error, refetch } = useJoinCode(subjectId);
  const [asking, setAsking] = useState<'regenerate' | 'stickers'>();
  const { send, pending } = useCommand('IssueJoinCode', {
    input: (_isFirst: boolean) => ({ subjectId }),
    notice: (_answer, isFirst) => (isFirst ? 'Students can join now.' : 'The new code works from now on. Earlier codes no longer work.'),
  });
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={3} />;
  const { code, domain, link, unfollowed } = data;
  const renew = () => {
    setAsking(undefined);
    void send(code === null);
  };
  return (
    <section className={`stack gap-3 box ${styles.card}`} aria-labelledby="joining-code">
      <h2 id="joining-code">Joining code of {subject.name}</h2>
      {code === null ? (
        <p>There is no code yet. Make one and give it to the students: each uses it once to join.</p>
      ) : (
        <output className={styles.code} aria-label="Joining code">
          {code}
        </output>
      )}
      <JoiningWait subject={subject} />
      {unfollowed !== undefined && (
        <Notice
          tone="warn"
          title={`${unfollowed === 1 ? 'One date of birth was' : `${unfollowed} dates of birth were`} found with this code in the last day without anybody joining.`}
        >
          A few are slips. If there are many, somebody may be finding out who was born when: regenerate the code.
        </Notice>
      )}
      <div className="row">
        <Button
          variant={code === null ? 'contained' : 'outlined'}
          disabled={pending}
          onClick={code === null ? renew : () => setAsking('regenerate')}
        >
          {code === null ? 'Make a code' : 'Regenerate code'}
        </Button>
        {code !== null && (
          <Button variant="contained" onClick={() => setAsking('stickers')}>
            Print stickers
          </Button>
        )}
      </div>
      <DomainForm key={domain} subjectId={subjectId} domain={domain} />
      {asking === 'regenerate' && (
        <Confirm title="Regenerate the code?" go="Regenerate" removes onGo={renew} onClose={() => setAsking(undefined)}>
          <p>Earlier codes stop working at once, including those on stickers already handed out. Students who have joined stay.</p>
        </Confirm>
      )}
      {asking === 'stickers' && code !== null && link !== null && (
        <StickersDialog subject={subject} code={code} link={link} onClose={() => setAsking(undefined)} />
      )}
    </section>
  );
};

type DomainFormProps = { readonly subjectId: string; readonly domain: string | null };

const DomainForm = ({ subjectId, domain }: DomainFormProps) => {
  const [text, setText] = useState(domain ?? '');
  const { send, pending, error, forget } = useCommand('ChangeJoinDomain', {
    input: (typed: string) => ({ subjectId, domain: typed }),
    notice: (_answer, typed) =>
      bare(typed) === '' ? 'Students now enter a full e-mail address.' : `Students now join with an address at ${bare(typed)}.`,
    onDone: (_answer, typed) => setText(bare(typed)),
    showsError: true,
  });
  const wrong = error === undefined ? undefined : sentence(error);
  return (
    <form
      className="row top gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(text);
      }}
    >
      <Typed when={text !== (domain ?? '')} />
      <TextField
        label="E-mail domain of the students"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          forget();
        }}
        error={wrong !== undefined}
        helperText={wrong ?? 'Such as students.school.example. Empty: any address.'}
        sx={{ flex: '1 1 260px', m: 0 }}
      />
      <Button type="submit" variant="outlined" disabled={pending || text === (domain ?? '')}>
        Save
      </Button>
    </form>
  );
};

/** People type it with an @, too. */
const bare = (typed: string): string => typed.trim().replace(/^@/, '');

/** The joining code of a subject, which admins may read at any time. */
const useJoinCode = (subjectId: string) => {
  const api = useApi();
  return useQuery({
    queryKey: ['join-code', subjectId],
    queryFn: async ({ signal }) =>
      (await api.rest(`/api/door/join-code?subjectId=${subjectId}`, { method: 'GET' }, { signal })).json as JoinCode,
  });
};
