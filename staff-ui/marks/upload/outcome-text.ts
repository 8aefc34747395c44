import type { Turned } from '#api/marks/marks.contract';
import type { Uploaded } from '#api/marks/upload/uploads.contract';
import { count, counted, some } from '../../format.ts';

/** Whether the upload has stored anything that could be undone. */
export const isStored = ({ stored, confirmed }: Uploaded): boolean => stored + confirmed > 0;

/** '729 totals stored.' '2 totals stored, 28 confirmed.' */
export const storedText = (uploaded: Uploaded, noun: 'total' | 'mark'): string => {
  const { stored, confirmed, unchanged } = uploaded;
  if (!isStored(uploaded)) return `Nothing to store: ${counted(unchanged, noun)} ${unchanged === 1 ? 'is' : 'are'} there already.`;
  if (stored === 0) return `${counted(confirmed, noun)} confirmed.`;
  return `${counted(stored, noun)} stored${confirmed > 0 ? `, ${count(confirmed)} confirmed` : ''}.`;
};

/** What an undo or a redo did: '2 removed, 28 stay: also entered by Ms Okafor.' */
export const turnedText = ({ undone, own, shared, replaced, alsoBy }: Turned): string => {
  if (shared + replaced === 0) return undone ? 'What stood there before counts again.' : 'Its values count again.';
  const turned = undone ? `${count(own)} removed` : `${count(own)} ${own === 1 ? 'is' : 'are'} back`;
  const others = some(alsoBy.map(({ name, you }) => (you ? 'you' : (name ?? 'somebody who was forgotten'))));
  const stays = undone ? (shared === 1 ? 'stays' : 'stay') : 'stood without it';
  return [
    own > 0 || shared === 0 ? [turned] : [],
    shared > 0 ? [`${count(shared)} ${stays}: also entered by ${others}`] : [],
    replaced > 0 ? [`${count(replaced)} ${replaced === 1 ? 'was' : 'were'} replaced since`] : [],
  ]
    .flat()
    .join(', ')
    .concat('.');
};
