import type { ErrorReport, Reported } from '#contract/errors';
import { isRefused, Unreachable } from '../api/failure.ts';

type Hear = (error: unknown) => void;
const listeners = new Set<Hear>();

/** Something went wrong that nobody planned for: it is logged, and staff see it in the banner. The same error may be told twice. */
export const tellError: Hear = (error) => {
  for (const hear of listeners) hear(error);
};

/** Hears what is told, and what nobody caught; ends with the returned function. */
export const hearErrors = (hear: Hear): (() => void) => {
  const onError = (event: ErrorEvent) => {
    if (event.error) hear(event.error);
  };
  const onRejection = (event: PromiseRejectionEvent) => hear(event.reason);
  listeners.add(hear);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    listeners.delete(hear);
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
};

const told = new WeakSet<object>();
/** What a session that has ended, a lost connection or a page that was left brings along is no error of anybody. */
const isNone = (error: unknown): boolean =>
  error instanceof Unreachable || isRefused(error, 'not-authenticated') || (error instanceof DOMException && error.name === 'AbortError');

/** Logs it on the server, which says what to show; undefined: nothing, also where the server cannot be told. Each error is logged once. */
export const logError = async (error: unknown): Promise<Reported | undefined> => {
  if (isNone(error)) return undefined;
  if (typeof error === 'object' && error !== null) {
    if (told.has(error)) return undefined;
    told.add(error);
  }
  try {
    const response = await fetch('/api/errors', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(reportOf(error)),
    });
    return response.ok ? ((await response.json()) as Reported) : undefined;
  } catch {
    return undefined;
  }
};

/** Who reports it, the server knows. Of addresses, the path only: what is asked for may name people. */
const reportOf = (error: unknown): ErrorReport => {
  const [, file, line] = /(\/[^\s()?#:]+)[^\s():]*:(\d+):\d+/.exec(stackOf(error).replaceAll(location.origin, '')) ?? [];
  const place = { file: file ?? location.pathname, line: line === undefined ? undefined : Number(line) };
  if (!isRefused(error))
    return {
      ...place,
      message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      status: undefined,
      statusText: undefined,
    };
  const { title, detail, status, code } = error.problem;
  return { ...place, message: [title, detail].filter(Boolean).join(' '), status, statusText: code };
};

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? '') : '');
