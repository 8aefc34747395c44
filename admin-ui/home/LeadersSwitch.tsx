import { FormControlLabel, Switch } from '@mui/material';
import { useCommand } from '../../ui/sending/useSend.ts';
import { Section } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import styles from './Home.module.css';

/** Opens the structure to leaders, each for their own subjects, or closes it. */
export const LeadersSwitch = () => {
  const { structureOpen } = useSession().me.school;
  const { send, pending } = useCommand('OpenStructureToLeaders', {
    input: (open: boolean) => ({ open }),
    notice: (_answer, open) => (open ? 'The structure is open to leaders.' : 'Only admins can change the structure again.'),
  });
  return (
    <Section title="Leaders">
      <FormControlLabel
        control={
          <Switch
            checked={structureOpen}
            slotProps={{ input: { 'aria-describedby': 'leaders-may' } }}
            onChange={(_event, open) => !pending && void send(open)}
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
