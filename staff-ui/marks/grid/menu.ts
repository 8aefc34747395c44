import type { Act } from './keys.ts';
import type { Block } from './place.ts';

type Chosen = {
  /** Whether who was there is said in this table. */
  readonly hasAttendance: boolean;
  /** All of them. */
  readonly isAbsent: boolean;
  readonly isExempt: boolean;
  readonly block: Block;
};

type Offered = { readonly label: string; readonly keys: string; readonly isOn?: boolean; readonly act: Act };

/** The menu of the selected cells. What is said of the student comes first, then what is done to the cells. */
export const menuOf = ({ hasAttendance, isAbsent, isExempt, block }: Chosen): readonly Offered[] => [
  ...(hasAttendance
    ? [
        { label: 'Absent', keys: 'A', isOn: isAbsent, act: { kind: 'attendance', is: 'absent' } as const },
        { label: 'Exempt', keys: 'E', isOn: isExempt, act: { kind: 'attendance', is: 'exempt' } as const },
      ]
    : []),
  ...(block.bottom === 0
    ? []
    : [{ label: block.top === block.bottom ? 'Fill from above' : 'Fill down', keys: 'Ctrl+D', act: { kind: 'fill-down' } as const }]),
  { label: 'Take out the marks', keys: 'Delete', act: { kind: 'empty' } },
];
