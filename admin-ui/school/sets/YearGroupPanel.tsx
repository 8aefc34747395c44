import { useReadOnly } from '../../../ui/frame/ReadOnly.tsx';
import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import { Accordion, AccordionDetails, AccordionSummary, Button, TextField } from '@mui/material';
import { useState } from 'react';
import { Gone } from '../../dialog/Trouble.tsx';
import { counted } from '../../format.ts';
import styles from './Classes.module.css';
import type { YearGroup } from './set.ts';
import { SetsOfYear } from './SetsOfYear.tsx';
import { useOffRollRemoval } from './useOffRollRemoval.tsx';
import type { FormEvent } from 'react';
import { RowTrouble } from '../../drafts/RowTrouble.tsx';
import { useDrafts } from '../../drafts/useDrafts.ts';
import { isYearMeant, yearTrouble } from './set.ts';

type YearGroupPanelProps = {
  readonly yearGroup: YearGroup;
  /** the other year groups' years */
  readonly years: readonly number[];
  /** Somebody else has deleted it while it was open here. */
  readonly isGone: boolean;
  readonly open: boolean;
  readonly onOpen: (opens: boolean) => void;
  readonly onDeleted: () => void;
};

/** One year group: opens to show its sets, and to rename or delete it. */
export const YearGroupPanel = ({ yearGroup, years, isGone, open, onOpen, onDeleted }: YearGroupPanelProps) => {
  const [renaming, setRenaming] = useState(false);
  const readOnly = useReadOnly();
  const removal = useOffRollRemoval<YearGroup>({ resource: 'yearGroups', called: ({ year }) => `Year ${year}`, after: onDeleted });
  const { year, sets, students } = yearGroup;
  return (
    <Accordion
      expanded={open}
      onChange={(_event, opens) => onOpen(opens)}
      slotProps={{ heading: { component: 'h2' }, transition: { unmountOnExit: true } }}
    >
      <AccordionSummary expandIcon={<ExpandMoreIcon />} id={`year-${yearGroup.id}`} aria-controls={`year-${yearGroup.id}-sets`}>
        <span className="row gap-4">
          <strong>Year {year}</strong>
          <span className="muted">
            {counted(sets, 'set')}, {counted(students, 'student')}
          </span>
        </span>
      </AccordionSummary>
      <AccordionDetails className={styles.panel ?? ''} id={`year-${yearGroup.id}-sets`}>
        {isGone && <Gone />}
        {renaming ? (
          <RenameYearGroup yearGroup={yearGroup} taken={years} isGone={isGone} onDone={() => setRenaming(false)} />
        ) : (
          !isGone &&
          !readOnly && (
            <div className={`row ${styles.buttons}`}>
              <Button variant="outlined" size="small" onClick={() => setRenaming(true)}>
                Rename
              </Button>
              <Button size="small" color="error" onClick={() => removal.ask(yearGroup)}>
                Delete year group
              </Button>
            </div>
          )
        )}
        <SetsOfYear yearGroup={yearGroup} />
      </AccordionDetails>
      {removal.dialog}
    </Accordion>
  );
};

type RenameYearGroupProps = {
  readonly yearGroup: YearGroup;
  readonly taken: readonly number[];
  /** Somebody else has deleted it. */
  readonly isGone: boolean;
  readonly onDone: () => void;
};

const RenameYearGroup = ({ yearGroup, taken, isGone, onDone }: RenameYearGroupProps) => {
  const drafts = useDrafts<YearGroup>('yearGroups', [yearGroup]);
  const [text, setText] = useState(String(yearGroup.year));
  const refused = drafts.errorsOf(yearGroup.id);
  const error = yearTrouble(text, taken) ?? refused['year'];
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if ((await isYearMeant(text)) && (await drafts.save())) onDone();
  };
  return (
    <form className={`row top gap-3 ${styles.rename}`} onSubmit={(event) => void save(event)}>
      <TextField
        label="Year group"
        value={text}
        error={error !== undefined}
        helperText={error}
        margin="none"
        onChange={({ target }) => {
          setText(target.value);
          drafts.change(yearGroup, { year: Number(target.value) });
        }}
        slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      />
      <Button variant="outlined" onClick={onDone}>
        Cancel
      </Button>
      <Button type="submit" variant="contained" disabled={yearTrouble(text, taken) !== undefined || drafts.saving || isGone}>
        Save
      </Button>
      <RowTrouble text={refused['']} onReload={onDone} />
    </form>
  );
};
