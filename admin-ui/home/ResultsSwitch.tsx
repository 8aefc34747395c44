import { FormControlLabel, Switch } from '@mui/material';
import { Section } from '../../ui/frame/Page.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { useSession } from '../../ui/session/Session.tsx';
import styles from './Home.module.css';

/** Whether students see on their home what came of complete feedback tasks. */
export const ResultsSwitch = () => {
  const { resultsShown } = useSession().me.school;
  const { send, pending } = useCommand('ShowResultsToStudents', {
    input: (shown: boolean) => ({ shown }),
    notice: (_answer, shown) => (shown ? 'Students see their grades on their home.' : 'Students no longer see their grades on their home.'),
  });
  return (
    <Section title="Students">
      <FormControlLabel
        control={
          <Switch
            checked={resultsShown}
            slotProps={{ input: { 'aria-describedby': 'students-see' } }}
            onChange={(_event, shown) => !pending && void send(shown)}
          />
        }
        label="Students see their rank, score and grade on their home"
      />
      <p id="students-see" className={styles.quiet}>
        Only those of complete feedback tasks, each student their own. Switched off, they are still in what a student may ask for under “My
        data”.
      </p>
    </Section>
  );
};
