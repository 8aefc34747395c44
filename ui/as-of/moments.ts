/** The moment that a page shows: `asOf` in its address, an ISO instant; undefined: now. */
export type Moment = {
  readonly asOf: string | undefined;
  /** Why the page does not show the moment in its address. */
  readonly trouble: string | undefined;
  readonly goTo: (asOf: string | undefined) => void;
};

/** The moment in `?asOf=`; `shows`: the page can show one. */
export const momentIn = (instant: string | null, shows: boolean): Pick<Moment, 'asOf' | 'trouble'> => {
  if (instant === null) return { asOf: undefined, trouble: undefined };
  if (!shows) return { asOf: undefined, trouble: 'This page cannot show an earlier moment. You see how things are now.' };
  if (!Number.isNaN(Date.parse(instant))) return { asOf: instant, trouble: undefined };
  return { asOf: undefined, trouble: 'The address of this page names no valid moment, so you see how things are now.' };
};

/** The query of the same page at another moment. */
export const withMoment = (search: URLSearchParams, asOf: string | undefined): URLSearchParams => {
  const after = new URLSearchParams(search);
  if (asOf === undefined) after.delete('asOf');
  else after.set('asOf', asOf);
  return after;
};

const shown = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' });
/** 21/11/2026, 11:04 in the reader's zone */
export const dateTime = (iso: string): string => shown.format(new Date(iso));

/** Converts instants to and from the values of date and time inputs, in the user's time zone. */
const two = (value: number): string => String(value).padStart(2, '0');

/** 2026-11-21 */
export const localDate = (moment: Date): string =>
  `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
/** 09:30 */
export const localTime = (moment: Date): string => `${two(moment.getHours())}:${two(moment.getMinutes())}`;

/** Undefined if a field is empty. */
export const instantOf = (date: string, time: string): Date | undefined => {
  const moment = new Date(`${date}T${time}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
};

/** Common moments, to the minute. Across a clock change they keep the time of day. */
export const agos = (now: Date): readonly { readonly label: string; readonly moment: Date }[] => {
  const before = (change: (moment: Date) => void): Date => {
    const moment = new Date(now);
    moment.setSeconds(0, 0);
    change(moment);
    return moment;
  };
  return [
    { label: 'An hour ago', moment: before((moment) => moment.setHours(moment.getHours() - 1)) },
    { label: 'Yesterday', moment: before((moment) => moment.setDate(moment.getDate() - 1)) },
    { label: 'A week ago', moment: before((moment) => moment.setDate(moment.getDate() - 7)) },
  ];
};
