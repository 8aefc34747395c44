import { FormControlLabel, Switch } from '@mui/material';
import { useState } from 'react';
import { useMoved } from '../../ui/api/ApiProvider.tsx';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useCommand } from '../data/useCommand.ts';
import styles from './Home.module.css';

/** Opens the structure to leaders, each for their own subjects, or closes it. */
export const LeadersSwitch = () => {
  const { structureOpen } = useSession().me.school;
  const [busy, setBusy] = useState(false);
  const command = useCommand();
  const moved = useMoved();
  const toast = useToast();
  const turn = async (open: boolean) => {
    if (busy) return;
    setBusy(true);
    try {
      await command('OpenStructureToLeaders', { open });
      await moved(['staff']);
      toast({ tone: 'good', text: open ? 'The structure is open to leaders.' : 'The structure is the admins’ alone again.' });
    } catch (error) {
      toast({ tone: 'bad', text: sentence(error) });
    }
    setBusy(false);
  };
  return (
    <Section title="Leaders">
      <FormControlLabel
        control={
          <Switch
            checked={structureOpen}
            slotProps={{ input: { 'aria-describedby': 'leaders-may' } }}
            onChange={(_event, open) => void turn(open)}
          />
        }
        label="Leaders may change the structure of their own subjects"
      />
      <p id="leaders-may" className={styles.quiet}>
        Schemes of work, assessments, classes, topic mappings, terminal exams and teachers, in the subjects that their teacher records
        belong to. They can neither add nor remove subjects; students, accounts and exports stay with admins. Switched off, it ends at once.
      </p>
    </Section>
  );
};
