import type { ExportChoices } from '#api/marks/export.contract';
import {
  Checkbox,
  FormControl,
  FormControlLabel,
  FormGroup,
  FormLabel,
  InputLabel,
  MenuItem,
  Radio,
  RadioGroup,
  Select,
} from '@mui/material';
import { useId } from 'react';
import { choiceOf, kinds, words } from './export-kinds.ts';
import type { Kind } from './export-kinds.ts';

/** Chooses what kind of data is exported. */
export const KindChoice = ({ kind, onKind }: { readonly kind: Kind; readonly onKind: (kind: Kind) => void }) => {
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id}>Kind of data</FormLabel>
      <RadioGroup
        row
        aria-labelledby={id}
        value={kind}
        onChange={(_event, value) => onKind(kinds.find((one) => one === value) ?? 'students')}
      >
        {kinds.map((one) => (
          <FormControlLabel key={one} value={one} control={<Radio size="small" />} label={words[one].label} />
        ))}
      </RadioGroup>
    </FormControl>
  );
};

type TestChoiceProps = {
  readonly kind: 'results' | 'totals';
  readonly tests: ExportChoices['tests'];
  readonly chosen: string;
  readonly onChoose: (testId: string) => void;
};

/** Chooses an assessment, and says of each how much of it there is. */
export const TestChoice = ({ kind, tests, chosen, onChoose }: TestChoiceProps) => {
  const id = useId();
  return (
    <FormControl>
      <InputLabel id={id}>Assessment</InputLabel>
      <Select labelId={id} label="Assessment" value={chosen} onChange={({ target }) => onChoose(target.value)}>
        {tests.map((test) => (
          <MenuItem key={test.testId} value={test.testId}>
            {choiceOf(kind, test)}
          </MenuItem>
        ))}
      </Select>
    </FormControl>
  );
};

type GroupsChoiceProps = {
  readonly groups: ExportChoices['groups'];
  readonly chosen: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
};

/** Chooses year groups, and Off-Roll. */
export const GroupsChoice = ({ groups, chosen, onChoose }: GroupsChoiceProps) => {
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id}>Groups</FormLabel>
      <FormGroup row aria-labelledby={id} role="group">
        {groups.map(({ id: group, name, students }) => (
          <FormControlLabel
            key={group}
            control={<Checkbox size="small" />}
            label={`${name} (${students.toLocaleString('en-GB')})`}
            checked={chosen.includes(group)}
            onChange={(_event, isTicked) => onChoose(isTicked ? [...chosen, group] : chosen.filter((other) => other !== group))}
          />
        ))}
      </FormGroup>
    </FormControl>
  );
};
