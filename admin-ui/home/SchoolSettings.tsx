import { MAX_LABEL } from '#api/contract/limits';
import { Button, FormControlLabel, Switch, TextField } from '@mui/material';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
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
    input: (_: void) => ({ name }),
    notice: () => 'The school has its new name.',
    onDone: () => setTyped(undefined),
  });
  return (
    <SettingForm title="School" disabled={pending || name.trim() === '' || name.trim() === stored} onSave={() => void send()}>
      <TextField
        label="Name of the school"
        value={name}
        slotProps={{ htmlInput: { maxLength: MAX_LABEL } }}
        onChange={({ target }) => setTyped(target.value)}
        fullWidth
      />
    </SettingForm>
  );
};

/** Opens the structure to leaders, each for their own subjects, or closes it. */
export const LeadersSwitch = () => {
  const { structureOpen } = useSession().me.school;
  const { send, pending } = useCommand('OpenStructureToLeaders', {
    input: (open: boolean) => ({ open }),
    notice: (_answer, open) => (open ? 'The structure is open to leaders.' : 'Only admins can change the structure again.'),
  });
  return (
    <SettingSwitch
      title="Leaders"
      label="Leaders may change the structure of their own subjects"
      checked={structureOpen}
      onChange={(open) => !pending && void send(open)}
    >
      Schemes of work, assessments, classes, topic mappings, terminal exams and teachers, in the subjects that their teacher records belong
      to. They can neither add nor delete subjects; students, accounts and exports stay with admins. Switched off, it ends at once.
    </SettingSwitch>
  );
};

/** Whether students see on their home what came of complete feedback tasks. */
export const ResultsSwitch = () => {
  const { resultsShown } = useSession().me.school;
  const { send, pending } = useCommand('ShowResultsToStudents', {
    input: (shown: boolean) => ({ shown }),
    notice: (_answer, shown) => (shown ? 'Students see their grades on their home.' : 'Students no longer see their grades on their home.'),
  });
  return (
    <SettingSwitch
      title="Students"
      label="Students see their rank, score and grade on their home"
      checked={resultsShown}
      onChange={(shown) => !pending && void send(shown)}
    >
      Only those of complete feedback tasks, and each student only their own. If this is off, students still find them under “My data”.
    </SettingSwitch>
  );
};

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
    input: (_: void) => words,
    notice: () => 'The reports are printed with these words from now on.',
    onDone: () => setTyped(undefined),
  });
  return (
    <SettingForm title="Reports" disabled={pending || isSame(words, stored)} onSave={() => void send()}>
      <p className="muted">Student reports, feedback sheets and revision lists of the whole school.</p>
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
    </SettingForm>
  );
};

type SettingFormProps = { readonly title: string; readonly disabled: boolean; readonly onSave: () => void; readonly children: ReactNode };

const SettingForm = ({ title, disabled, onSave, children }: SettingFormProps) => (
  <Section title={title}>
    <form
      className={`stack gap-3 own-width ${styles.words}`}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      {children}
      <Button type="submit" variant="outlined" disabled={disabled}>
        Save
      </Button>
    </form>
  </Section>
);

type SettingSwitchProps = {
  readonly title: string;
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** What it means. */
  readonly children: ReactNode;
};

const SettingSwitch = ({ title, label, checked, onChange, children }: SettingSwitchProps) => {
  const id = useId();
  return (
    <Section title={title}>
      <FormControlLabel
        control={<Switch checked={checked} slotProps={{ input: { 'aria-describedby': id } }} onChange={(_event, on) => onChange(on)} />}
        label={label}
      />
      <p id={id} className={`muted ${styles.quiet}`}>
        {children}
      </p>
    </Section>
  );
};
