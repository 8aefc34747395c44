import type { APIRequestContext, Page } from 'playwright-core';
import { tokenIn, type Mailbox } from '../../support/mailbox.ts';

export const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
};

export const logIn = async (page: Page, email: string, password: string): Promise<void> => {
  await page.goto('/login');
  await fill(page, { 'E-mail': email, Password: password });
  await page.getByRole('button', { name: 'Login' }).click();
};

/** Opens the splash page and waits for its script: the question about cookies is not part of the page that the server sends. */
export const openSplash = async (page: Page): Promise<void> => {
  await page.goto('/');
  await page.getByRole('region', { name: 'Cookies' }).waitFor();
};

/** The address of the link in the next mail to somebody. */
export const linkTo = async (mailbox: Mailbox, email: string, path: string): Promise<string> =>
  `${path}?token=${tokenIn(await mailbox.next(email))}`;

/** A new joining code of a subject, made by an admin. */
export const joinCodeOf = async (admin: APIRequestContext, subject: string): Promise<string> => {
  const { subjects } = (await (await admin.get('/api/queries/me')).json()) as { subjects: { subjectId: string; name: string }[] };
  const subjectId = subjects.find(({ name }) => name === subject)?.subjectId;
  const issued = await admin.post('/api/commands/IssueJoinCode', { data: { subjectId } });
  return ((await issued.json()) as { result: { code: string } }).result.code;
};
