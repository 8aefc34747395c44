import { Button, TextField } from '@mui/material';
import { useState } from 'react';
import { uuid } from '../../ui/api/uuid.ts';
import { Typed } from '../dialog/FormDialog.tsx';
import styles from './Assessments.module.css';
import type { PaperLine } from './paper.ts';
import { wrongMarks } from './paper.ts';

/** A new question, added when both fields are filled in. */
export const AddLine = ({ number, onAdd }: { readonly number: number; readonly onAdd: (line: PaperLine) => void }) => {
  const [topic, setTopic] = useState('');
  const [marks, setMarks] = useState('');
  const wrong = marks.trim() === '' ? undefined : wrongMarks(marks);
  const isFull = topic.trim() !== '' && marks.trim() !== '' && wrong === undefined;
  return (
    <form
      className={styles.add}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isFull) return;
        onAdd({ key: uuid(), questionId: null, topic: topic.trim(), marks: marks.trim() });
        setTopic('');
        setMarks('');
      }}
    >
      <Typed when={`${topic}${marks}`.trim() !== ''} />
      <span className={styles.number}>{number}</span>
      <TextField
        label="Topic of a new question"
        value={topic}
        onChange={({ target }) => setTopic(target.value)}
        slotProps={{ htmlInput: { maxLength: 500 } }}
      />
      <TextField
        label="Its marks"
        value={marks}
        error={wrong !== undefined}
        helperText={wrong}
        onChange={({ target }) => setMarks(target.value)}
        slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 6 } }}
      />
      <Button type="submit" variant="outlined" disabled={!isFull}>
        Add question
      </Button>
    </form>
  );
};
