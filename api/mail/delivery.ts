import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import { createTransport } from 'nodemailer';
import type { Letter } from './letter.ts';
import { letterHtml, letterText } from './letter.ts';

/** Passes a letter to the mail server. @throws AddressRefused; after any other error, try again */
export type Deliver = (letter: Letter, id: string) => Promise<void>;

/** The mail server refuses this address for good. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

export type DeliveryOptions = {
  /** Undefined: files in `outboxDir`. */
  readonly smtpUrl: string | undefined;
  readonly outboxDir: string;
  /** `Marktrail <no-reply@school.example>` */
  readonly sender: string;
  /** Prints a line on the console. */
  readonly tell: (line: string) => void;
};

export const delivery = (options: DeliveryOptions): Deliver => (options.smtpUrl === undefined ? toFiles(options) : overSmtp(options));

const overSmtp = ({ smtpUrl, sender }: DeliveryOptions): Deliver => {
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 });
  return async (letter, id) => {
    try {
      await transport.sendMail(message(letter, id, sender));
    } catch (error) {
      if (isForGood(error)) throw new AddressRefused('The mail server refuses this address.', { cause: error });
      throw error;
    }
  };
};

/** For trying out, and for schools without a mail server. The files hold links, so they are not kept for long. */
const toFiles = ({ outboxDir, sender, tell }: DeliveryOptions): Deliver => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (letter, id) => {
    await mkdir(outboxDir, { recursive: true, mode: 0o700 });
    await removeOld(outboxDir);
    const { message: content } = await transport.sendMail(message(letter, id, sender));
    const file = join(outboxDir, `${new Date().toISOString().replaceAll(':', '.')} ${letter.subject.replace(/[^\w ]/g, '')}.eml`);
    await writeFile(file, content as Buffer, { mode: 0o600 });
    tell(`A mail is in ${file}`);
  };
};

/** Removes the files with mail to one of these addresses (in lower case). */
export const removeLetters = async (outboxDir: string, addresses: readonly string[]): Promise<void> => {
  if (addresses.length === 0 || !existsSync(outboxDir)) return;
  for (const name of await readdir(outboxDir)) {
    if (!name.endsWith('.eml')) continue;
    const file = join(outboxDir, name);
    const to = /^To: (.*)$/im.exec(await readFile(file, 'utf8'))?.[1]?.toLowerCase() ?? '';
    if (addresses.some((address) => to.includes(address))) await rm(file, { force: true });
  }
};

const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

const removeOld = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory)) {
    const file = join(directory, name);
    if (name.endsWith('.eml') && (await stat(file)).mtimeMs < Date.now() - KEPT_MS) await rm(file, { force: true });
  }
};

/**
 * The Message-ID is the same at each attempt, so that mail programs recognise a second copy, sent because a process died after the mail
 * server had accepted the first.
 */
const message = (letter: Letter, id: string, sender: string): SendMailOptions => ({
  from: sender,
  to: { name: '', address: letter.to },
  subject: letter.subject,
  text: letterText(letter),
  html: letterHtml(letter),
  messageId: `<${id}@${sender.match(/@([\w.-]+)/)?.[1] ?? 'marktrail'}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Whether the address itself was refused. A server that refuses the connection or the password may be fixed. */
const isForGood = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EENVELOPE' && 'responseCode' in error && Number(error.responseCode) >= 550;
