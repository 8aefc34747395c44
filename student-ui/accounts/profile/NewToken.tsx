import type { Profile, TokenMade } from '#api/contract/auth';
import { authMessages, MOST_TOKEN_DAYS } from '#api/contract/auth-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field, Select } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { formClass } from '../../../ui/frame/Card.tsx';
import { askAuth } from '../form/ask.ts';
import { nameError } from '../form/checks.ts';
import { useForm } from '../form/useForm.ts';
import { ShownOnce } from './ShownOnce.tsx';
import { UnlockDialog } from './UnlockForm.tsx';

type NewTokenProps = { readonly profile: Profile; readonly unlocked: () => void; readonly onClose: () => void };

/** Asks what the token is for, then shows it. */
export const NewToken = ({ profile, unlocked, onClose }: NewTokenProps) => {
  const [made, setMade] = useState<TokenMade>();
  const client = useQueryClient();
  const done = (token: TokenMade) => {
    setMade(token);
    void client.invalidateQueries({ queryKey: ['sessions'] });
  };
  if (made) return <TokenShown token={made.token} done={onClose} />;
  return <TokenForm profile={profile} unlocked={unlocked} done={done} cancel={onClose} />;
};

type TokenFormProps = {
  readonly profile: Profile;
  readonly unlocked: () => void;
  readonly done: (made: TokenMade) => void;
  readonly cancel: () => void;
};

const DAYS = [1, 7, MOST_TOKEN_DAYS] as const;

const TokenForm = ({ profile, unlocked, done, cancel }: TokenFormProps) => {
  const [locked, setLocked] = useState(profile.unlockedUntil === null);
  const { form, busy, errors, failure, setFailure } = useForm<TokenMade>({
    check: (field) => ({ name: nameError(field('name')) }),
    send: (field) => askAuth('/profile/tokens', { name: field('name').trim(), days: Number(field('days')) }),
    done,
    onRefused: ({ code }) => setLocked(code === 'locked'),
  });
  const opened = () => {
    setLocked(false);
    setFailure(undefined);
    unlocked();
  };
  return (
    <>
      <form className={formClass} {...form}>
        {failure && failure !== authMessages.locked && <Notice tone="bad" title={failure} />}
        <Field
          label="What it is for"
          name="name"
          autoComplete="off"
          maxLength={50}
          error={errors['name']}
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- its button was just pressed
          autoFocus
        />
        <Select label="Good for" name="days" defaultValue={MOST_TOKEN_DAYS} error={errors['days']}>
          {DAYS.map((days) => (
            <option key={days} value={days}>
              {days} {days === 1 ? 'day' : 'days'}
            </option>
          ))}
        </Select>
        <div className="row gap-3">
          <Button look="primary" type="submit" disabled={busy}>
            {busy ? 'Making…' : 'Make it'}
          </Button>
          <Button onClick={cancel}>Cancel</Button>
        </div>
      </form>
      <UnlockDialog title="Your profile is locked" open={locked} onClose={() => setLocked(false)} profile={profile} unlocked={opened} />
    </>
  );
};

const TokenShown = ({ token, done }: { readonly token: string; readonly done: () => void }) => (
  <ShownOnce
    title="Copy this token now: it is not shown again."
    text={token}
    notCopied="It could not be copied: mark and copy it."
    kept="I have kept it"
    onKept={done}
  >
    <p>
      <code className="breaks" aria-label="Token">
        {token}
      </code>
    </p>
    <p>
      A program sends it with each request, after <code>Authorization: Bearer</code>. Whoever has it does what you may.
    </p>
  </ShownOnce>
);
