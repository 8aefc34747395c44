import { counted, some } from '../../format.ts';
import type { Line, Plan } from './paste/plan.ts';
import type { Edit, Place } from './place.ts';

/** What the last block did, for the status line. */
export type Report = { readonly text: string; readonly isBad: boolean };

/** What is known of the cells of a table before something is typed into them (`Table` of useGrid.ts). */
type Cells = {
  readonly keyAt: (place: Place) => string;
  readonly textOf: (key: string) => string;
  readonly isContested: (key: string) => boolean;
  readonly isStudents: (key: string) => boolean;
  readonly wrongAt: (place: Place, text: string) => string | undefined;
};

/**
 * '52 stored, 3 confirmed, 2 of them as the students had entered them, 4 of nobody in this class (Nobody, Nina).' Each cell with a text in a
 * column of marks is counted once. Confirmed: it stood there already, and is now said by the author of the block too.
 */
export const reporting = ({ edits, away, blank, strangers, leftOut, outside, isNamed }: Plan, table: Cells) => {
  const reasons = edits.map(({ place, text }) => {
    const reason = table.wrongAt(place, text);
    return reason === undefined || /\d/u.test(reason) ? reason : `${text}: ${reason}`;
  });
  const wrong = reasons.filter((reason) => reason !== undefined);
  const right = edits.filter((_, index) => reasons[index] === undefined);
  const confirmed = right.filter((edit) => isAsItStands(edit, table)).length;
  const remarks = remarksOn(right, table);
  const cellsOf = (lines: readonly Line[]): number => lines.flatMap(({ cells }) => cells).length;
  const names = (lines: readonly Line[]): string =>
    some(
      lines.map(({ label }) => label),
      5,
    );
  const left = [
    ...(wrong.length > 0 ? [`${wrong.length} refused (${[...new Set(wrong)].slice(0, 3).join('; ')})`] : []),
    ...(strangers.length > 0 ? [`${cellsOf(strangers)} of nobody in this class (${names(strangers)})`] : []),
    ...(leftOut.length > 0 ? [`${cellsOf(leftOut)} in ${counted(leftOut.length, 'row')} left out (${names(leftOut)})`] : []),
    ...(outside > 0 ? [`${outside} outside the table`] : []),
  ];
  const quiet = [...(blank > 0 ? [`${blank} left blank`] : []), ...(away.length > 0 ? [`${counted(away.length, 'student')} away`] : [])];
  return (act: 'taken' | 'stored'): Report => {
    const stored = right.length - confirmed;
    const done = [...(stored > 0 || confirmed === 0 ? [`${stored} ${act}`] : []), ...(confirmed > 0 ? [`${confirmed} confirmed`] : [])];
    const found = isNamed ? ' Rows were matched by name.' : '';
    return { text: `${[`${done.join(', ')}${remarks}`, ...quiet, ...left].join(', ')}.${found}`, isBad: left.length > 0 };
  };
};

const isAsItStands = ({ place, text }: Edit, { keyAt, textOf }: Cells): boolean => {
  const now = textOf(keyAt(place));
  return now !== '' && Number(now) === Number(text);
};

/** Of what is typed at once: what the students had entered too, and where other people had entered something else. */
export const remarksOn = (edits: readonly Edit[], table: Cells): string => {
  const agreed = edits.filter((edit) => table.isStudents(table.keyAt(edit.place)) && isAsItStands(edit, table)).length;
  const contested = edits.filter(({ place }) => table.isContested(table.keyAt(place))).length;
  return [
    agreed > 0 ? `, ${agreed} of them as the ${agreed === 1 ? 'student' : 'students'} had entered ${agreed === 1 ? 'it' : 'them'}` : '',
    contested > 0 ? `, ${contested} of them beside other values: decide which counts` : '',
  ].join('');
};
