import { MAX_LABEL } from '#api/contract/limits';
import { Button, FormControlLabel, Switch, TextField } from '@mui/material';
import { useState } from 'react';
import { Section } from '../../ui/frame/Page.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { useSession } from '../../ui/session/Session.tsx';
import styles from './Home.module.css';

type Words = { readonly foot: string; readonly sentence: string; readonly comparisons: boolean };
const USUAL: Words = { foot: '', sentence: '', comparisons: true };
const isSame = (one: Words, other: Words): boolean =>
  one.foot.trim() === other.foot.trim() && one.sentence.trim() === other.sentence.trim() && one.comparisons === other.comparisons;

/** What the school prints on the reports that it hands out. */
export const ReportWords = () => {
  const stored = useSession().me.school.reports ?? USUAL;
  const [typed, setTyped] = useState<Words>();
  const words = typed ?? stored;
  const change = (part: Partial<Words>) => setTyped({ ...words, ...part });
  const { send, pending } = useCommand('ChangeReportWords', {
    input: () => words,
    notice: () => 'The reports are printed with these words from now on.',
    onDone: () => setTyped(undefined),
  });
  return (
    <Section title="Reports">
      <form
        className={styles.words}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p className={styles.quiet}>Student reports, feedback sheets and revision lists of the whole school.</p>
        <TextField
          label="Words at the foot of each page"
          value={words.foot}
          slotProps={{ htmlInput: { maxLength: MAX_LABEL } }}
          onChange={({ target }) => change({ foot: target.value })}
          fullWidth
        />
        <TextField
          label="Sentence under the heading of a revision list"
          placeholder="Tick each topic when you have revised it."
          value={words.sentence}
          slotProps={{ htmlInput: { maxLength: MAX_LABEL }, inputLabel: { shrink: true } }}
          onChange={({ target }) => change({ sentence: target.value })}
          fullWidth
        />
        <FormControlLabel
          control={<Switch checked={words.comparisons} onChange={(_event, comparisons) => change({ comparisons })} />}
          label="Print how a student stands beside the class and all students"
        />
        <Button type="submit" variant="outlined" disabled={pending || isSame(words, stored)}>
          Save
        </Button>
      </form>
    </Section>
  );
};
