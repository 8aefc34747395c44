import { MAX_LABEL } from '#api/contract/limits';
import { Button, TextField } from '@mui/material';
import { useState } from 'react';
import { Section } from '../../ui/frame/Page.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { useSession } from '../../ui/session/Session.tsx';
import styles from './Home.module.css';

/** What the school is called: on every page, in mails and on reports. */
export const SchoolName = () => {
  const stored = useSession().me.school.name;
  const [typed, setTyped] = useState<string>();
  const name = typed ?? stored;
  const { send, pending } = useCommand('RenameSchool', {
    input: () => ({ name }),
    notice: () => 'The school has its new name.',
    onDone: () => setTyped(undefined),
  });
  return (
    <Section title="School">
      <form
        className={styles.words}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <TextField
          label="Name of the school"
          value={name}
          slotProps={{ htmlInput: { maxLength: MAX_LABEL } }}
          onChange={({ target }) => setTyped(target.value)}
          fullWidth
        />
        <Button type="submit" variant="outlined" disabled={pending || name.trim() === '' || name.trim() === stored}>
          Save
        </Button>
      </form>
    </Section>
  );
};
