import type { Away } from '#api/contract/attendance';
import { AWAY_WORDS, AWAYS } from '#api/contract/attendance';
import type { Act } from './keys.ts';
import type { Block } from './place.ts';

type Chosen = {
  /** Whether who was there is said in this table. */
  readonly hasAttendance: boolean;
  /** Whether all of them are that. */
  readonly isAll: (is: Away) => boolean;
  readonly block: Block;
};

type Offered = { readonly label: string; readonly keys: string; readonly isOn?: boolean; readonly act: Act };

/** The menu of the selected cells. What is said of the student comes first, then what is done to the cells. */
export const menuOf = ({ hasAttendance, isAll, block }: Chosen): readonly Offered[] => [
  ...(hasAttendance
    ? AWAYS.map((is) => ({
        label: AWAY_WORDS[is].label,
        keys: AWAY_WORDS[is].sign,
        isOn: isAll(is),
        act: { kind: 'attendance', is } as const,
      }))
    : []),
  ...(block.bottom === 0
    ? []
    : [{ label: block.top === block.bottom ? 'Fill from above' : 'Fill down', keys: 'Ctrl+D', act: { kind: 'fill-down' } as const }]),
  { label: 'Take out the marks', keys: 'Delete', act: { kind: 'empty' } },
];
