import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { Button, TextField } from '@mui/material';
import type { FormEvent, InputHTMLAttributes, ReactNode } from 'react';
import { useRef, useState } from 'react';
import { sentence } from '../../ui/api/failure.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import { Typed } from '../dialog/FormDialog.tsx';
import styles from './AddBox.module.css';

type AddBoxProps<Added> = {
  readonly label: string;
  readonly button: string;
  /** The button is the page's primary action. */
  readonly main?: boolean;
  /** The error that can be found without the server; undefined: none. */
  readonly wrong: (text: string) => string | undefined;
  /** Asks before what is seldom meant is added. */
  readonly isMeant?: (text: string) => Promise<boolean>;
  /** Adds it. An error is shown below the field, and the text stays. */
  readonly onAdd: (text: string) => Promise<Added>;
  readonly notice: (text: string) => string;
  readonly onAdded?: (added: Added) => void;
  readonly disabled?: boolean;
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
  readonly children?: ReactNode;
};

/** A field with a button, below a list: adds a record at once. */
export const AddBox = <Added,>(props: AddBoxProps<Added>) => (
  <Changes>
    <AddForm {...props} />
  </Changes>
);

const AddForm = <Added,>(props: AddBoxProps<Added>) => {
  const { label, button, main = false, wrong, isMeant, onAdd, notice, onAdded, disabled = false, input = {}, children } = props;
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const {
    send,
    pending,
    error: failure,
    forget,
  } = useSend({
    act: onAdd,
    invalidates: 'everything',
    notice: (_added, name) => notice(name),
    onDone: (added, name) => {
      // The user may already be typing the next one.
      setText((now) => (now.trim() === name ? '' : now));
      // The button was disabled and has lost the focus: on to the next one.
      if (document.activeElement === document.body) field.current?.focus();
      onAdded?.(added);
    },
    showsError: true,
  });
  const error = failure === undefined ? (text === '' ? undefined : wrong(text.trim())) : sentence(failure);

  const add = async (event: FormEvent) => {
    event.preventDefault();
    if ((await isMeant?.(text.trim())) !== false) await send(text.trim());
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
          forget();
        }}
        slotProps={{ htmlInput: input }}
      />
      {children}
      <Button
        type="submit"
        variant={main ? 'contained' : 'outlined'}
        disabled={text.trim() === '' || error !== undefined || pending || disabled}
      >
        {button}
      </Button>
    </form>
  );
};
