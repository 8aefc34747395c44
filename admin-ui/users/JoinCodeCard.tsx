import { Button, TextField } from '@mui/material';
import { useState } from 'react';
import { Confirm } from 'react-admin';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import type { useSession } from '../../ui/session/Session.tsx';
import { Typed } from '../dialog/FormDialog.tsx';
import { StickersDialog } from './StickersDialog.tsx';
import { useJoinCode } from './useJoinCode.ts';
import styles from './Users.module.css';

type Subject = NonNullable<ReturnType<typeof useSession>['subject']>;

/** The joining code of a subject, and the e-mail domain its students must use. */
export const JoinCodeCard = ({ subject }: { readonly subject: Subject }) => {
  const { data, error, refetch, regenerate, restrict } = useJoinCode(subject.subjectId);
  const toast = useToast();
  const [asking, setAsking] = useState<'regenerate' | 'stickers'>();
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={3} />;
  const { code, domain, link, unfollowed } = data;
  const renew = () => {
    setAsking(undefined);
    regenerate().then(
      () =>
        toast({
          tone: 'good',
          text: code === null ? 'Students can join now.' : 'The new code works from now on. Earlier codes no longer work.',
        }),
      (failure: unknown) => toast({ tone: 'bad', text: sentence(failure) }),
    );
  };
  return (
    <section className={styles.card} aria-labelledby="joining-code">
      <h2 id="joining-code">Joining code of {subject.name}</h2>
      {code === null ? (
        <p>There is no code yet. Make one and give it to the students: each uses it once to join.</p>
      ) : (
        <output className={styles.code} aria-label="Joining code">
          {code}
        </output>
      )}
      {unfollowed !== undefined && (
        <Notice
          tone="warn"
          title={`${unfollowed === 1 ? 'One date of birth was' : `${unfollowed} dates of birth were`} found with this code in the last day without anybody joining.`}
        >
          A few are slips. If there are many, somebody may be finding out who was born when: regenerate the code.
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button variant={code === null ? 'contained' : 'outlined'} onClick={code === null ? renew : () => setAsking('regenerate')}>
          {code === null ? 'Make a code' : 'Regenerate code'}
        </Button>
        {code !== null && (
          <Button variant="contained" onClick={() => setAsking('stickers')}>
            Print stickers
          </Button>
        )}
      </div>
      <DomainForm key={domain} domain={domain} restrict={restrict} />
      <Confirm
        isOpen={asking === 'regenerate'}
        title="Regenerate the code?"
        content="Earlier codes stop working at once, including those on stickers already handed out. Students who have joined stay."
        confirm="Regenerate"
        confirmColor="warning"
        onConfirm={renew}
        onClose={() => setAsking(undefined)}
      />
      {asking === 'stickers' && code !== null && link !== null && (
        <StickersDialog subject={subject.name} code={code} link={link} onClose={() => setAsking(undefined)} />
      )}
    </section>
  );
};

type DomainFormProps = { readonly domain: string | null; readonly restrict: (domain: string) => Promise<void> };

const DomainForm = ({ domain, restrict }: DomainFormProps) => {
  const toast = useToast();
  const [text, setText] = useState(domain ?? '');
  const [wrong, setWrong] = useState<string>();
  const save = async () => {
    try {
      await restrict(text);
      setWrong(undefined);
      const now = text.trim().replace(/^@/, '');
      setText(now);
      toast({ tone: 'good', text: now === '' ? 'Students now enter a whole address.' : `Students join with an address at ${now} now.` });
    } catch (error) {
      if (isRefused(error, 'invalid-input')) setWrong(error.message);
      else toast({ tone: 'bad', text: sentence(error) });
    }
  };
  return (
    <form
      className={styles.domain}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Typed when={text !== (domain ?? '')} />
      <TextField
        label="E-mail domain of the students"
        value={text}
        onChange={({ target }) => setText(target.value)}
        error={wrong !== undefined}
        helperText={wrong ?? 'Such as students.school.example. Empty: any address.'}
        sx={{ flex: '1 1 260px', m: 0 }}
      />
      <Button type="submit" variant="outlined" disabled={text === (domain ?? '')}>
        Save
      </Button>
    </form>
  );
};
