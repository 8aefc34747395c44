import pg from 'pg';

/**
 * An error as it may be logged. PostgreSQL puts values into its errors: a row in `detail`, a parameter in `where`, any of them in the message. Kept
 * are its code, what it is about (table, column, constraint), where in PostgreSQL it arose, and our own stack.
 */
export const withoutValues = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const message = sayable(error);
  const cause = withoutValues(error.cause);
  const errors = error instanceof AggregateError ? error.errors.map(withoutValues) : undefined;
  const safe = Object.assign(new Error(message, cause === undefined ? {} : { cause }), {
    name: error.name,
    ...('code' in error ? { code: error.code } : {}),
    ...(errors === undefined ? {} : { errors }),
  });
  // The frames begin below the message, which may have several lines.
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  safe.stack = [`${error.name}: ${message}`, ...frames].join('\n');
  return safe;
};

/** The message of an error, without values that PostgreSQL put into it or into an error that it includes. */
export const sayable = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof pg.DatabaseError) return saidBy(error);
  const several: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const inner = [error.cause, ...several].filter((one) => one instanceof Error);
  return inner.reduce((message, one) => (one.message === '' ? message : message.replaceAll(one.message, sayable(one))), error.message);
};

/** Classes of errors about connections, rights, names, resources and operations: their messages hold no data. */
const HOLDS_NONE = /^(08|25|28|3D|40|42|53|55|57|58)/;

const saidBy = ({ code = '', message, routine, table, column, constraint }: pg.DatabaseError): string => {
  if (HOLDS_NONE.test(code)) return message;
  const about = Object.entries({ table, column, constraint }).flatMap(([what, name]) => (name === undefined ? [] : [`${what} ${name}`]));
  return `PostgreSQL refused with ${code}${about.length > 0 ? `: ${about.join(', ')}` : ''}${routine === undefined ? '' : ` (${routine})`}`;
};
