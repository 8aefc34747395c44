import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A received mail. */
export type Received = Email & { readonly recipient: string };

/** A mail server with everybody's mailbox. */
export type Mailbox = {
  readonly url: string;
  /** All mails, oldest first. */
  readonly mails: readonly Received[];
  /** Waits for the next unread mail to the address. */
  next(to: string): Promise<Received>;
  /** The token of the link in the next mail to the address. */
  token(to: string): Promise<string>;
  /** An SMTP answer instead of accepting mail: `450 later` or `550 no such user`. Undefined: accepts. */
  refuse(answer: { code: number; text: string } | undefined): void;
  /** Number of delivery attempts. */
  readonly attempts: () => number;
  /** Called with each mail before the server accepts it. */
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

/** The token of the link, which is the same in text and HTML. */
export const tokenIn = ({ text = '', html = '' }: Pick<Email, 'text' | 'html'>): string => {
  const token = /\?token=([\w-]+)/.exec(text)?.[1];
  if (token === undefined || !html.includes(`?token=${token}`)) throw new Error(`there is no link in this mail: ${text}`);
  return token;
};
