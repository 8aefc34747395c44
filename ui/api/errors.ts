import type { ErrorReport, Reported } from '#api/contract/errors';
import { isRefused, Unreachable } from './failure.ts';

type ErrorListener = (error: unknown) => void;
const listeners = new Set<ErrorListener>();

/** Reports an unexpected error: it is logged, and staff see it in the banner. The same error may be reported twice. */
export const reportError: ErrorListener = (error) => {
  for (const listener of listeners) listener(error);
};

/** Listens for reported and uncaught errors; the returned function stops it. */
export const onReportedError = (listener: ErrorListener): (() => void) => {
  const onError = (event: ErrorEvent) => {
    if (event.error) listener(event.error);
  };
  const onRejection = (event: PromiseRejectionEvent) => listener(event.reason);
  listeners.add(listener);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
};

const logged = new WeakSet<object>();
/** An ended session, a lost connection or an aborted request is not an error to report. */
const isExpected = (error: unknown): boolean =>
  error instanceof Unreachable || isRefused(error, 'not-authenticated') || (error instanceof DOMException && error.name === 'AbortError');

/**
 * Logs an error on the server, which answers what to show. Undefined: nothing to show, or the server cannot be reached. Each error is
 * logged once.
 */
export const logError = async (error: unknown): Promise<Reported | undefined> => {
  if (isExpected(error)) return undefined;
  if (typeof error === 'object' && error !== null) {
    if (logged.has(error)) return undefined;
    logged.add(error);
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

/** The server knows who reports it. Only the path of an address is sent: the query may name people. */
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
