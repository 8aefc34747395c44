import { useState } from 'react';
import type { HttpError } from 'react-admin';
import { useDataProvider } from 'react-admin';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useCommand } from '../data/useCommand.ts';
import type { SaveTrouble } from '../dialog/useSaveRecord.ts';
import { listed } from '../format.ts';
import type { StaffRole, StaffUser } from './user.ts';
import { linkIn, linkText, nameOf } from './user.ts';

export type StaffValues = {
  readonly name: string;
  readonly email: string;
  readonly role: StaffRole | undefined;
  /** Teacher records, as `linkText`. */
  readonly links: readonly string[];
};

export const valuesOf = (user: StaffUser | undefined): StaffValues => ({
  name: user ? nameOf(user) : '',
  email: user?.email ?? '',
  role: user?.role ?? (user ? 'teacher' : undefined),
  links: (user?.teachers ?? []).map(linkText),
});

/**
 * Opens an account, or changes one part after the other: each part is a command. Nothing is sent while the account is another one than was
 * seen; where a part is refused, it is said which ones before it are stored.
 */
export const useSaveStaff = (user: StaffUser | undefined, onClose: () => void) => {
  const command = useCommand();
  const provider = useDataProvider();
  const toast = useToast();
  /** The account as it was loaded, with what was stored from here since. */
  const [seen, setSeen] = useState(user);
  const [trouble, setTrouble] = useState<SaveTrouble>();
  const [busy, setBusy] = useState(false);

  const invite = async ({ name, email, role, links }: StaffValues & { readonly role: StaffRole }): Promise<string> => {
    await command('InviteStaff', { name, email, role, teachers: links.map(linkIn) });
    return `Account activated. A mail with a link is on its way to ${email}.`;
  };

  /** Answers what is to be said; undefined: there is trouble. `stored` grows with each part. */
  const update = async (account: StaffUser, values: StaffValues & { readonly role: StaffRole }, stored: string[]) => {
    const { data: now } = await provider.getOne<StaffUser>('staffUsers', { id: account.id });
    if (textOf(now) !== textOf(account)) {
      setSeen(now);
      setTrouble({ kind: 'changed', now: { id: now.id, ...valuesOf(now) } });
      return undefined;
    }
    const { email, role, links } = values;
    const accountId = account.id;
    const teachers = links.map(linkIn);
    if (sorted(links) !== sorted(account.teachers.map(linkText))) {
      await command('LinkTeacher', { accountId, teachers });
      stored.push('the teacher records');
      setSeen((before) => before && { ...before, teachers });
    }
    if (role !== account.role) {
      await command('ChangeStaffRole', { accountId, role });
      stored.push('the role');
      setSeen((before) => before && { ...before, role });
    }
    if (email === account.email) return `${nameOf(account)} updated.`;
    await command('CorrectStaffEmail', { accountId, email });
    return `${nameOf(account)} updated. A mail is on its way to ${email}.`;
  };

  const save = async (values: StaffValues & { readonly role: StaffRole }): Promise<Record<string, string> | undefined> => {
    const stored: string[] = [];
    const already = () => (stored.length === 0 ? '' : ` Stored already: ${listed(stored)}.`);
    setBusy(true);
    setTrouble(undefined);
    try {
      const said = seen === undefined || seen.accountId === null ? await invite(values) : await update(seen, values, stored);
      if (said === undefined) return undefined;
      toast({ tone: 'good', text: said });
      onClose();
      return undefined;
    } catch (error) {
      const fields = fieldsOf(error);
      if (isGone(error)) setTrouble({ kind: 'gone' });
      else if (fields === undefined) setTrouble({ kind: 'refused', sentence: `${sentence(error)}${already()}` });
      else if (stored.length > 0) setTrouble({ kind: 'refused', sentence: `Not all of it could be stored.${already()}` });
      return fields;
    } finally {
      setBusy(false);
    }
  };
  return { save, seen, trouble, busy };
};

const sorted = (texts: readonly string[]): string => texts.toSorted().join();
/** What of an account is changed here. */
const textOf = ({ email, role, teachers }: StaffUser): string => JSON.stringify([email, role, sorted(teachers.map(linkText))]);

const isGone = (error: unknown): boolean => error instanceof Error && (error as Partial<HttpError>).status === 404;

/** The messages by field; which of the teacher records one is about is in its sentence. */
const fieldsOf = (error: unknown): Record<string, string> | undefined => {
  const wrong = isRefused(error) ? error.errors : [];
  if (wrong.length === 0) return undefined;
  return Object.fromEntries(wrong.map(({ path, message }): [string, string] => [path.startsWith('teachers') ? 'links' : path, message]));
};
