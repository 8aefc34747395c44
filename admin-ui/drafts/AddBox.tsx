import { Button, TextField } from '@mui/material';
import type { FormEvent, InputHTMLAttributes, ReactNode } from 'react';
import { useRef, useState } from 'react';
import { sentence } from '../../ui/api/failure.ts';
import { Typed } from '../dialog/FormDialog.tsx';
import styles from './AddBox.module.css';

type AddBoxProps = {
  readonly label: string;
  readonly button: string;
  /** The button is the page's primary action. */
  readonly main?: boolean;
  /** The error that can be found without the server; undefined: none. */
  readonly wrong: (text: string) => string | undefined;
  /** Adds it. An error is shown below the field, and the text stays. */
  readonly onAdd: (text: string) => Promise<unknown>;
  readonly disabled?: boolean;
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
  readonly children?: ReactNode;
};

/** A field with a button, below a list: adds a record at once. */
export const AddBox = ({ label, button, main = false, wrong, onAdd, disabled = false, input = {}, children }: AddBoxProps) => {
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [adding, setAdding] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const error = refusal ?? (text === '' ? undefined : wrong(text.trim()));

  const add = async (event: FormEvent) => {
    event.preventDefault();
    setAdding(true);
    try {
      await onAdd(text.trim());
      // The user may already be typing the next one.
      setText((now) => (now === text ? '' : now));
      // The button was disabled and has lost the focus: on to the next one.
      if (document.activeElement === document.body) field.current?.focus();
    } catch (failure) {
      setRefusal(sentence(failure));
    } finally {
      setAdding(false);
    }
  };

  return (
    <form className={styles.add} onSubmit={(event) => void add(event)}>
      <Typed when={text.trim() !== ''} />
      <TextField
        label={label}
        inputRef={field}
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
