import type { FormEvent } from 'react';
import { useState } from 'react';
import type { ApiRefusal } from '../../../ui/api/failure.ts';
import { isRefused, isUnexpected, messagesIn, sentence } from '../../../ui/api/failure.ts';
import { useSending } from '../../../ui/sending/useSending.ts';
import { fieldText } from './basic-checks.ts';

/** Error messages by field name. */
export type Errors = Readonly<Record<string, string | undefined>>;

type FormOptions<Answer> = {
  /** Checks made before anything is sent. */
  readonly check: (field: (name: string) => string, form: FormData) => Errors;
  readonly send: (field: (name: string) => string, form: FormData) => Promise<Answer>;
  readonly done: (answer: Answer, form: HTMLFormElement) => void;
  /** The message when the server refuses the form, besides its errors by field. */
  readonly refused?: string;
  readonly onRefused?: (refusal: ApiRefusal) => void;
};

type Filled = { readonly form: HTMLFormElement; readonly field: (name: string) => string; readonly data: FormData };

/** A form that is validated on submit and moves the focus to its first error. */
export const useForm = <Answer>({ check, send, done, refused, onRefused }: FormOptions<Answer>) => {
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string>();
  /** The reason, if the failure itself does not say it. */
  const [reason, setReason] = useState<string>();

  const show = (form: HTMLFormElement, found: Errors): boolean => {
    setErrors(found);
    const first = Object.keys(found).find((name) => found[name]);
    if (first !== undefined) focusOn(form, first);
    return first !== undefined;
  };
  const sending = useSending({
    act: ({ field, data }: Filled) => send(field, data),
    onDone: (answer, { form }) => done(answer, form),
    onFailed: (error, { form }) => {
      if (isRefused(error)) onRefused?.(error);
      const fieldErrors = Object.fromEntries(Object.entries(messagesIn(error)).filter(([name]) => form.elements.namedItem(name) !== null));
      const isShown = show(form, fieldErrors);
      if (isRefused(error) && !isUnexpected(error)) {
        // A refusal that is about all of it has its own sentence, besides those of the fields.
        const otherReason = isShown && error.code !== 'refused' ? undefined : error.message;
        setFailure(refused ?? otherReason);
        if (refused !== otherReason) setReason(refused && otherReason);
      } else setFailure(sentence(error));
    },
  });
  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const field = (name: string): string => fieldText(data, name);
    setFailure(undefined);
    setReason(undefined);
    if (!show(form, check(field, data))) void sending.send({ form, field, data });
  };

  return {
    busy: sending.pending,
    errors,
    failure,
    reason,
    setFailure,
    form: {
      noValidate: true,
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        submit(event.currentTarget);
      },
      onInput: (event: FormEvent<HTMLFormElement>) => {
        const { target } = event;
        setFailure(undefined);
        setReason(undefined);
        if (target instanceof HTMLInputElement && errors[target.name]) setErrors({ ...errors, [target.name]: undefined });
      },
    },
  };
};

const focusOn = (form: HTMLFormElement, name: string) => {
  const item = form.elements.namedItem(name);
  if (item instanceof HTMLElement) item.focus();
};
