/**
 * When things happen in the demo school. All dates follow from the day of the build: the first event lies a fixed time before it, so that an
 * interrupted build continues with the same dates on any later day.
 */
const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** Before the first week of either school year, whatever the day of the build. */
const OPENED_BEFORE_MS = 120 * WEEK_MS;
const OPENED_AT_MS = 8 * 3_600_000;
/** Acts at one moment follow each other, as they do in a log. */
const BETWEEN_ACTS_MS = 5_000;
/** The newest school year that has come as far as the examination. */
const LEAST_MS = 10 * WEEK_MS;

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as const;
export type Weekday = (typeof weekdays)[number];

/** The day of an instant, at midnight UTC. */
export const dayOf = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);

/** When a school that is built on this day was opened. */
export const openedOn = (dayOfBuild: Date): Date => new Date(dayOfBuild.getTime() - OPENED_BEFORE_MS + OPENED_AT_MS);

/** The day on which a school was built that was opened then. */
export const builtOn = (opened: Date): Date => new Date(opened.getTime() + OPENED_BEFORE_MS - OPENED_AT_MS);

/** 1 September before the day, a year earlier if that is less than ten weeks ago. */
export const schoolYearOf = (day: Date): Date => {
  const september = (year: number): Date => new Date(Date.UTC(year, 8, 1));
  const year = day.getUTCFullYear();
  return [september(year), september(year - 1)].find((first) => day.getTime() - first.getTime() >= LEAST_MS) ?? september(year - 2);
};

/** The times of the acts. They never go backwards, and all lie before the day of the build. */
export class Calendar {
  readonly opened: Date;
  /** In which the newest school year begins. */
  readonly year: number;
  /** The Monday of the week of 1 September. */
  readonly #monday: number;
  #next: number;

  constructor(dayOfBuild: Date) {
    this.opened = openedOn(dayOfBuild);
    this.#next = this.opened.getTime();
    const first = schoolYearOf(dayOfBuild);
    this.year = first.getUTCFullYear();
    this.#monday = first.getTime() - ((first.getUTCDay() + 6) % 7) * DAY_MS;
  }

  /** Goes on to a school day, counted in weeks from the week of 1 September. @throws RangeError if that has passed already */
  goTo(week: number, weekday: Weekday, time: `${number}:${number}`): void {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    const moment = this.#monday + week * WEEK_MS + weekdays.indexOf(weekday) * DAY_MS + (hours * 60 + minutes) * 60_000;
    if (moment < this.#next) throw new RangeError(`${weekday} of week ${week}, ${time}, has passed already`);
    this.#next = moment;
  }

  /** YYYY-MM-DD of so many days after the next act. */
  dayAhead(days: number): string {
    return new Date(this.#next + days * DAY_MS).toISOString().slice(0, 10);
  }

  /** The time of the next act. */
  next(): Date {
    const now = new Date(this.#next);
    this.#next += BETWEEN_ACTS_MS;
    return now;
  }
}
