import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail as its reader has it. */
export type Received = Email & { readonly recipient: string };

/** A mail server, and the mailboxes of everybody. */
export type Mailbox = {
  readonly url: string;
  /** All that came, oldest first. */
  readonly mails: readonly Received[];
  /** The next mail to the address that was not read yet, when it comes. */
  next(to: string): Promise<Received>;
  /** The token of the link in the next mail to the address. */
  token(to: string): Promise<string>;
  /** How the server answers from now on, instead of taking the mail: `450 later` or `550 no such user`. Undefined: it takes it. */
  refuse(answer: { code: number; text: string } | undefined): void;
  /** How often somebody tried to deliver. */
  readonly attempts: () => number;
  /** Called with each mail before the server says that it has it. */
  onMail(listener: (() => void | Promise<void>) | undefined): void;
  close(): Promise<void>;
};

export const openMailbox = async (): Promise<Mailbox> => {
  const mails: Received[] = [];
  const unread: Received[] = [];
  const waiting: { to: string; hand: (mail: Received) => void }[] = [];
  let refusal: { code: number; text: string } | undefined;
  let attempts = 0;
  let listen: (() => void | Promise<void>) | undefined;

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, callback) {
      attempts += 1;
      callback(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void (async () => {
          const parsed = await PostalMime.parse(Buffer.concat(chunks));
          await listen?.();
          for (const { address } of session.envelope.rcptTo) deliver({ ...parsed, recipient: address });
          callback();
        })();
      });
    },
  });
  const deliver = (mail: Received): void => {
    mails.push(mail);
    const place = waiting.findIndex(({ to }) => to === mail.recipient);
    if (place < 0) unread.push(mail);
    else waiting.splice(place, 1)[0]?.hand(mail);
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const next: Mailbox['next'] = (to) => {
    const place = unread.findIndex(({ recipient }) => recipient === to);
    if (place >= 0) return Promise.resolve(unread.splice(place, 1)[0]!);
    return new Promise((hand) => {
      waiting.push({ to, hand });
    });
  };
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    next,
    token: async (to) => tokenIn(await next(to)),
    refuse: (answer) => {
      refusal = answer;
    },
    attempts: () => attempts,
    onMail: (listener) => {
      listen = listener;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
};

/** Of the link; text and HTML have the same. */
export const tokenIn = ({ text = '', html = '' }: Pick<Email, 'text' | 'html'>): string => {
  const token = /\?token=([\w-]+)/.exec(text)?.[1];
  if (token === undefined || !html.includes(`?token=${token}`)) throw new Error(`there is no link in this mail: ${text}`);
  return token;
};
