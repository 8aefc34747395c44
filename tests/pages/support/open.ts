// The window first.
import { emptyProfile } from './window.ts';
import type { BoundFunctions, queries } from '@testing-library/dom';
import { fireEvent, getConfig, waitFor, within } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import { isLeaving } from '../../../ui/api/signed-out.ts';
import { openQuestion } from '../../../ui/feedback/ask.ts';
import type { AppName } from '../../../ui/pages.ts';
import { isWithin, pageAt } from '../../../ui/pages.ts';
import type { Client } from '../../support/client.ts';
import { limit } from '../../support/limits.ts';
import { connect, Line } from './line.ts';

type Words = string | RegExp;

/** A file as it is chosen on a page: its lines. */
export const csv = (name: string, ...lines: readonly string[]): File => new File([lines.join('\r\n')], name, { type: 'text/csv' });

/** An app as its main.tsx renders it, and how it lets go of the address. */
const apps: Readonly<Record<AppName, () => Promise<readonly [app: ReactNode, end?: () => void]>>> = {
  'staff-ui': async () => [createElement((await import('../../../staff-ui/App.tsx')).App)],
  async 'student-ui'() {
    const [{ App }, { connection }, { forgetSite }] = await Promise.all([
      import('../../../student-ui/App.tsx'),
      import('../../../student-ui/accounts/form/ask.ts'),
      import('../../../ui/site/useSite.ts'),
    ]);
    // There is one for all documents here: it waits for no position of another log, and views as nobody.
    connection.api.reset({ since: '0', topics: {} });
    connection.api.viewAs(undefined);
    forgetSite();
    return [createElement(App, { welcome: false })];
  },
  async 'admin-ui'() {
    const [{ App }, { createBrowserRouter }, { RouterProvider }] = await Promise.all([
      import('../../../admin-ui/App.tsx'),
      import('react-router'),
      import('react-router/dom'),
    ]);
    const basename = isWithin(location.pathname, '/history') ? '/history' : '/admin';
    const router = createBrowserRouter([{ path: '*', element: createElement(App) }], { basename });
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
  const body = place(() => document.body);
  return {
    ...body,
    line,
    /** Answers the question before something typed is lost. */
    async whenAsked(answer: 'Stay here' | 'Leave all the same') {
      const question = await body.dialog('Leave without saving?');
      await question.press(answer);
      await body.goneFrom('dialog', 'Leave without saving?');
    },
  };
};

export type Place = {
  /** What there is at once. */
  seen(): BoundFunctions<typeof queries>;
  /** What stands within, by its role and name. If the page draws it anew, the new one. */
  part(role: string, name: Words): Promise<Place>;
  dialog(name: Words): Promise<Place>;
  find(role: string, name: Words): Promise<HTMLElement>;
  field(label: Words): Promise<HTMLInputElement>;
  /** Presses the button, or the first of several, once it can be pressed. */
  press(name: Words, role?: string): Promise<void>;
  cannotPress(name: Words): Promise<void>;
  fill(label: Words, text: string): Promise<void>;
  choose(label: Words, option: string): Promise<void>;
  check(label: Words): Promise<void>;
  upload(file: File): Promise<void>;
  /** The field has this text. */
  holds(label: Words, text: string): Promise<void>;
  says(text: Words): Promise<void>;
  gone(text: Words): Promise<void>;
  goneFrom(role: string, name: Words): Promise<void>;
};

export const user = userEvent.setup({ document, pointerEventsCheck: 0, delay: null });

/** What people see and do within an element. All of it waits. Text in part, names as a whole. */
const place = (elementNow: () => HTMLElement): Place => {
  let element = elementNow();
  const seen = () => {
    if (!element.isConnected) element = elementNow();
    return within(element);
  };
  const until = (isSo: () => boolean, what: string): Promise<void> =>
    waitFor(() => {
      if (!isSo()) throw getConfig().getElementError(what, element);
    });
  const find = (role: string, name: Words) => waitFor(() => seen().getByRole(role, { name }));
  const isOff = (name: Words, role = 'button'): boolean => seen().getAllByRole(role, { name })[0]?.matches(':disabled') ?? false;
  /** MUI marks a required field by a star. */
  const labelled = (label: Words) =>
    seen().getByLabelText<HTMLInputElement>(typeof label === 'string' ? (text) => text.replace(/\s*\*$/, '') === label : label);
  const field = (label: Words) => waitFor(() => labelled(label));
  const part = async (role: string, name: Words) => {
    await find(role, name);
    return place(() => seen().getByRole(role, { name }));
  };
  return {
    seen,
    part,
    dialog: (name) => part('dialog', name),
    find,
    field,
    async press(name, role = 'button') {
      await until(() => !isOff(name, role), `${name} cannot be pressed.`);
      const [first = element] = seen().getAllByRole(role, { name });
      await user.click(first);
    },
    cannotPress: (name) => until(() => isOff(name), `${name} can be pressed.`),
    async fill(label, text) {
      const one = await field(label);
      one.focus();
      fireEvent.change(one, { target: { value: text } });
    },
    choose: async (label, option) => user.selectOptions(await field(label), option),
    check: async (label) => user.click(await field(label)),
    async upload(file) {
      await until(() => element.querySelector('input[type=file]') !== null, 'No file is asked for.');
      await user.upload(element.querySelector<HTMLInputElement>('input[type=file]') ?? element, file);
    },
    holds: (label, text) => until(() => labelled(label).value === text, `${label} does not hold ${text}.`),
    async says(text) {
      await waitFor(() => seen().getAllByText(text, { exact: false }));
    },
    gone: (text) => until(() => seen().queryAllByText(text, { exact: false }).length === 0, `${text} is still there.`),
    goneFrom: (role, name) => until(() => seen().queryAllByRole(role, { name }).length === 0, `${name} is still there.`),
  };
};
