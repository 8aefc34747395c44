import type { Edit, Pasted } from './paste.ts';
import type { Place } from './place.ts';

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
 * '390 stored, 180 of them as the students had entered them.' '4 of 25 taken, 21 lie outside the table.' Every cell of the block with a text
 * in it is counted once.
 */
export const reporting = ({ edits, outside, strangers, byName }: Pasted, table: Cells) => {
  const reasons = edits.map(({ place, text }) => {
    const reason = table.wrongAt(place, text);
    return reason === undefined || /\d/u.test(reason) ? reason : `${text}: ${reason}`;
  });
  const wrong = reasons.filter((reason) => reason !== undefined);
  const right = edits.filter((_, index) => reasons[index] === undefined);
  const all = edits.length + outside;
  const said = saidIn(right, table);
  const left = [
    ...(wrong.length > 0 ? [`${wrong.length} refused (${[...new Set(wrong)].slice(0, 3).join('; ')})`] : []),
    ...(strangers.length > 0
      ? [`${outside} of nobody in this class (${strangers.slice(0, 3).join('; ')})`]
      : outside > 0
        ? [`${outside} ${outside === 1 ? 'lies' : 'lie'} outside the table`]
        : []),
  ];
  return (act: 'taken' | 'stored'): Report => {
    if (all === 0) return { text: 'There is no mark in what was copied.', isBad: true };
    const taken = right.length === all ? `${all}` : `${right.length} of ${all}`;
    const found = byName ? ' Rows were matched by name.' : '';
    return { text: `${[`${taken} ${act}${said}`, ...left].join(', ')}.${found}`, isBad: left.length > 0 };
  };
};

/** Of what is typed at once: what the students had entered too, and where other people had entered something else. */
export const saidIn = (edits: readonly Edit[], table: Cells): string => {
  const keys = edits.map(({ place, text }) => ({ key: table.keyAt(place), text }));
  const agreed = keys.filter(({ key, text }) => table.isStudents(key) && Number(table.textOf(key)) === Number(text)).length;
  const asked = keys.filter(({ key }) => table.isContested(key)).length;
  return [
    agreed > 0 ? `, ${agreed} of them as the ${agreed === 1 ? 'student' : 'students'} had entered ${agreed === 1 ? 'it' : 'them'}` : '',
    asked > 0 ? `, ${asked} of them beside other values: decide which counts` : '',
  ].join('');
};
