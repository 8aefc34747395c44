import { Button, TextField } from '@mui/material';
import type { FormEvent, InputHTMLAttributes, ReactNode } from 'react';
import { useState } from 'react';
import { sentence } from '../../ui/api/failure.ts';
import styles from './AddBox.module.css';

type AddBoxProps = {
  readonly label: string;
  readonly button: string;
  /** The button is the page's main one. */
  readonly main?: boolean;
  /** What is wrong with it, as far as that is known before the server is asked. undefined: nothing */
  readonly wrong: (text: string) => string | undefined;
  /** Adds it. What it throws is said under the field, and the text stays. */
  readonly onAdd: (text: string) => Promise<unknown>;
  readonly disabled?: boolean;
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
  /** Further fields. */
  readonly children?: ReactNode;
};

/** A field and a button beneath a list: what is typed there joins the list at once. */
export const AddBox = ({ label, button, main = false, wrong, onAdd, disabled = false, input = {}, children }: AddBoxProps) => {
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [adding, setAdding] = useState(false);
  const error = refusal ?? (text === '' ? undefined : wrong(text.trim()));

  const add = async (event: FormEvent) => {
    event.preventDefault();
    setAdding(true);
    try {
      await onAdd(text.trim());
      // The next one may be half typed by now.
      setText((now) => (now === text ? '' : now));
    } catch (failure) {
      setRefusal(sentence(failure));
    } finally {
      setAdding(false);
    }
  };

  return (
    <form className={styles.add} onSubmit={(event) => void add(event)}>
      <TextField
        label={label}
        value={text}
        error={error !== undefined}
        helperText={error}
        margin="none"
        onChange={({ target }) => {
          setText(target.value);
          setRefusal(undefined);
        }}
        slotProps={{ htmlInput: input }}
      />
      {children}
      <Button
        type="submit"
        variant={main ? 'contained' : 'outlined'}
        disabled={text.trim() === '' || error !== undefined || adding || disabled}
      >
        {button}
      </Button>
    </form>
  );
};
