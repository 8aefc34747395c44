import { Button, TextField } from '@mui/material';
import { uuid } from '../../ui/api/uuid.ts';
import { Typed } from '../dialog/FormDialog.tsx';
import styles from './Assessments.module.css';
import type { PaperLine } from './paper.ts';
import { wrongMarks } from './paper.ts';

/** A question as far as it is typed. */
export type NewLine = { readonly topic: string; readonly marks: string };
export const nothingTyped: NewLine = { topic: '', marks: '' };
export const isTyped = ({ topic, marks }: NewLine): boolean => `${topic}${marks}`.trim() !== '';

/** undefined: it is not complete, or its marks are wrong */
export const lineOf = ({ topic, marks }: NewLine): PaperLine | undefined =>
  topic.trim() === '' || wrongMarks(marks) !== undefined
    ? undefined
    : { key: uuid(), questionId: null, topic: topic.trim(), marks: marks.trim() };

type AddLineProps = {
  readonly number: number;
  readonly typed: NewLine;
  readonly onType: (typed: NewLine) => void;
  readonly onAdd: (line: PaperLine) => void;
};

/** A new question, added when both fields are filled in. */
export const AddLine = ({ number, typed, onType, onAdd }: AddLineProps) => {
  const { topic, marks } = typed;
  const wrong = marks.trim() === '' ? undefined : wrongMarks(marks);
  return (
    <form
      className={styles.add}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const line = lineOf(typed);
        if (!line) return;
        onAdd(line);
        onType(nothingTyped);
      }}
    >
      <Typed when={isTyped(typed)} />
      <span className="figure not-on-phone">{number}</span>
      <TextField
        label="Topic of a new question"
        value={topic}
        onChange={({ target }) => onType({ topic: target.value, marks })}
        slotProps={{ htmlInput: { maxLength: 500 } }}
      />
      <TextField
        label="Its marks"
        value={marks}
        error={wrong !== undefined}
        helperText={wrong}
        onChange={({ target }) => onType({ topic, marks: target.value })}
        slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 6 } }}
      />
      <Button type="submit" variant="outlined" disabled={!lineOf(typed)}>
        Add question
      </Button>
    </form>
  );
};
