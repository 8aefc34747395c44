/**
 * What a field may hold: the schema of a request and the form in front of it ask the same function, which needs no schema library. Each
 * answers with what is wrong, for people; undefined: nothing.
 */
export const NOT_WHOLE = 'The value must be an integer number';

/** A whole number from 1. */
export const wrongCount = (value: number): string | undefined => {
  if (!Number.isInteger(value)) return NOT_WHOLE;
  return value > 0 ? undefined : 'The value must be greater than zero';
};

/** Of a year group, and in which somebody sits an exam. */
export const LAST_YEAR = 9_999;

/** The year of a year group, or the one in which a cohort leaves. 99 is Off-Roll's. */
export const wrongYear = (year: number): string | undefined => {
  const wrong = wrongCount(year);
  if (wrong !== undefined) return wrong;
  if (year === 99) return 'Year 99 is kept for Off-Roll';
  return year <= LAST_YEAR ? undefined : 'The value must be less than 10000';
};

/** The day on which an assessment was sat. Somewhere on Earth it is tomorrow already. */
export const wrongDaySat = (day: string, now: Date = new Date()): string | undefined =>
  wrongDaySatBy(day, new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10));
/** The same for somebody for whom it is this day. */
export const wrongDaySatBy = (day: string, today: string): string | undefined => {
  if (day < EARLIEST_DAY_SAT) return 'The date must not be before 01/01/2000.';
  return day > today ? 'The date must not be in the future.' : undefined;
};

export const EARLIEST_DAY_SAT = '2000-01-01';

/** A whole number as it is typed, in digits; NaN: none. */
export const typedNumber = (text: string): number => (/^-?\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
/** The same with a decimal point. What only programs write (1e9, 0x10) is none. */
export const typedDecimal = (text: string): number => (/^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN);

/**
 * Cleans pasted text: puts it on one line; removes what is invisible or changes the direction of the rest of a page (control characters,
 * embeddings, overrides and isolates, zero-width spaces); composes letters, because a Mac may send an ü as u and two dots, which a search
 * for ü would not find. Keeps joiners and direction marks, which Persian, Hindi and Hebrew need, and NUL, which is refused later.
 */
export const oneLine = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .replace(UNSEEN, '')
        // Not with an expression for blanks around a line break, which would take quadratic time for a million blanks.
        .split(LINE_BREAK)
        .map((part) => part.trim())
        .filter(Boolean)
        .join(' ')
        .normalize('NFC');
/** Nothing in it would change: most of a file's StudentIDs, of which there may be a hundred thousand. */
const PLAIN = /^[!-~]+$/;
const LINE_BREAK = /[\t-\r\u0085\u2028\u2029]/;
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- these are what it looks for
  /[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** At least one visible character, not only joiners, direction marks or blank letters. Empty text has a message of its own. */
export const VISIBLE = /^$|(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
export const REQUIRED = 'Required.';
/** The name of a thing. */
export const wrongName = (name: string): string | undefined => {
  const cleaned = oneLine(name.trim());
  return cleaned !== '' && VISIBLE.test(cleaned) ? undefined : REQUIRED;
};

type Thresholds = { readonly red: number; readonly amber: number; readonly green: number };
const wrongPercent = (percent: number): string | undefined =>
  Number.isInteger(percent) && percent >= 0 && percent <= 100 ? undefined : 'Thresholds are whole percentages, 0 to 100.';
export const wrongThresholds = ({ red, amber, green }: Thresholds): string | undefined => {
  const wrong = [red, amber, green].map(wrongPercent).find((text) => text !== undefined);
  return wrong ?? (red <= amber && amber <= green ? undefined : 'The thresholds must rise from red to amber to green.');
};
