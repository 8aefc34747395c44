import { authMessages } from '#api/contract/auth-messages';
import { Field } from '../../../ui/controls/Field.tsx';
import type { Errors } from './useForm.ts';

type PasswordFieldsProps = { readonly errors: Errors; readonly label?: string; readonly required?: boolean };

/** A new password and its confirmation. */
export const PasswordFields = ({ errors, label = 'Password', required = true }: PasswordFieldsProps) => (
  <>
    <Field
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      hint={authMessages.passwordHint}
      error={errors['password']}
      required={required}
    />
    <Field
      label="Confirm password"
      name="confirmation"
      type="password"
      autoComplete="new-password"
      error={errors['confirmation']}
      required={required}
    />
  </>
);
