// The window first.
import { emptyProfile } from './window.ts';
import type { BoundFunctions, queries } from '@testing-library/dom';
import { fireEvent, waitFor, within } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished } from 'vitest';
import { isLeaving } from '../../../ui/api/signed-out.ts';
import { openQuestion } from '../../../ui/feedback/ask.ts';
import type { AppName } from '../../../ui/pages.ts';
import { pageAt } from '../../../ui/pages.ts';
import type { Client } from '../../support/client.ts';
import { limit } from '../../support/limits.ts';
import { connect, Line } from './line.ts';

type Words = string | RegExp;

/** A file as it is chosen on a page: its lines. */
export const csv = (name: string, ...lines: readonly string[]): File => new File([lines.join('\r\n')], name, { type: 'text/csv' });

/** An app as its main.tsx renders it, and how it lets go of the address. */
const apps: Readonly<Record<AppName, () => Promise<readonly [app: ReactNode, end?: () => void]>>> = {
  'staff-ui': async () => [createElement((await import('../../../staff-ui/App.tsx')).App)],
  'student-ui': async () => [createElement((await import('../../../student-ui/App.tsx')).App, { welcome: false })],
  async 'admin-ui'() {
    const [{ App }, { createBrowserRouter }, { RouterProvider }] = await Promise.all([
      import('../../../admin-ui/App.tsx'),
      import('react-router'),
      import('react-router/dom'),
    ]);
    const router = createBrowserRouter([{ path: '*', element: createElement(App) }], { basename: '/admin' });
    return [createElement(RouterProvider, { router, useTransitions: false }), () => router.dispose()];
  },
};

let close = async (): Promise<void> => undefined;

/**
 * The page at an address, as whoever is signed in at the client sees it once what was done before is in the read models. There is one window:
 * what others do meanwhile is done by calls. It is closed when another is opened, and with the test.
 */
export const open = async (client: Client, path: string) => {
  await close();
  if (isLeaving()) throw new Error('Somebody has logged out: after that modules serve no other page.');
  await emptyProfile();
  const { backend } = client.product;
  await backend.progress.waitFor([...backend.progress.positions().keys()], await backend.store.head(), limit.wait);
  history.replaceState(null, '', path);
  const line = new Line(client);
  connect(line);
  const [app, end] = await apps[pageAt(location.pathname).app]();
  const home = document.createElement('div');
  document.body.replaceChildren(home);
  const root = createRoot(home);
  root.render(app);
  close = async () => {
    close = async () => undefined;
    // One that is not answered would hold up those of the tests to come.
    openQuestion.now()?.answer(false);
    root.unmount();
    end?.();
    await line.close();
  };
  onTestFinished(close);
  const body = place(document.body);
  return {
    ...body,
    line,
    /** Answers the question before something typed is lost. */
    async whenAsked(answer: 'Stay here' | 'Leave all the same') {
      const question = await body.findByRole('dialog', { name: 'Leave without saving?' });
      await place(question).press(answer);
      await expect.poll(() => question.isConnected).toBe(false);
    },
  };
};

export type Place = BoundFunctions<typeof queries> & {
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly element: HTMLElement;
  /** What stands within, by its role and name. */
  part(role: string, name: Words): Promise<Place>;
  dialog(name: Words): Promise<Place>;
  /** Presses the button, or the first of several, once it can be pressed. */
  press(name: Words, role?: string): Promise<void>;
  field(label: Words): Promise<HTMLInputElement>;
  fill(label: Words, text: string): Promise<void>;
  choose(label: Words, option: string): Promise<void>;
  check(label: Words): Promise<void>;
  upload(file: File): Promise<void>;
  /** Waits until the field has this text. */
  holds(label: Words, text: string): Promise<void>;
  says(text: Words): Promise<void>;
  gone(text: Words): Promise<void>;
  goneFrom(role: string, name: Words): Promise<void>;
};

/** What is to be found within an element, and what people do there. Text in part, names as a whole. */
export const place = (element: HTMLElement): Place => {
  const user = userEvent.setup({ document, pointerEventsCheck: 0, delay: null });
  const seen = within(element);
  const field = (label: Words) =>
    seen.findByLabelText<HTMLInputElement>(typeof label === 'string' ? (text) => text.replace(/\s*\*$/, '') === label : label);
  const part = async (role: string, name: Words) => place(await seen.findByRole(role, { name }));
  return {
    ...seen,
    user,
    part,
    dialog: (name: Words) => part('dialog', name),
    element,
    async press(name: Words, role = 'button') {
      const button = await waitFor(() => {
        const [first] = seen.getAllByRole<HTMLButtonElement>(role, { name });
        if (!first || first.disabled) throw new Error(`${name} cannot be pressed.`);
        return first;
      });
      await user.click(button);
    },
    field,
    async fill(label: Words, text: string) {
      const one = await field(label);
      one.focus();
      fireEvent.change(one, { target: { value: text } });
    },
    async choose(label: Words, option: string) {
      await user.selectOptions(await field(label), option);
    },
    async check(label: Words) {
      await user.click(await field(label));
    },
    async holds(label: Words, text: string) {
      await expect.poll(async () => (await field(label)).value).toBe(text);
    },
    async upload(file: File) {
      const input = await waitFor(() => {
        const first = element.querySelector<HTMLInputElement>('input[type=file]');
        if (!first) throw new Error('No file is asked for.');
        return first;
      });
      await user.upload(input, file);
    },
    async says(text: Words) {
      await seen.findAllByText(text, { exact: false });
    },
    async gone(text: Words) {
      await waitFor(() => expect(seen.queryAllByText(text, { exact: false })).toHaveLength(0));
    },
    async goneFrom(role, name) {
      await waitFor(() => expect(seen.queryAllByRole(role, { name })).toHaveLength(0));
    },
  };
};
