import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import { Accordion, AccordionDetails, AccordionSummary, Button } from '@mui/material';
import { useState } from 'react';
import { Gone } from '../../dialog/Trouble.tsx';
import { counted } from '../../format.ts';
import styles from './Classes.module.css';
import { RenameYearGroup } from './RenameYearGroup.tsx';
import type { YearGroup } from './set.ts';
import { SetsOfYear } from './SetsOfYear.tsx';
import { useOffRollRemoval } from './useOffRollRemoval.tsx';

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
  const removal = useOffRollRemoval<YearGroup>({ resource: 'yearGroups', called: ({ year }) => `Year ${year}`, after: onDeleted });
  const { year, sets, students } = yearGroup;
  return (
    <Accordion expanded={open} onChange={(_event, opens) => onOpen(opens)} slotProps={{ transition: { unmountOnExit: true } }}>
      <AccordionSummary expandIcon={<ExpandMoreIcon />} id={`year-${yearGroup.id}`} aria-controls={`year-${yearGroup.id}-sets`}>
        <span className={styles.summary}>
          <strong>Year {year}</strong>
          <span>
            {counted(sets, 'set')}, {counted(students, 'student')}
          </span>
        </span>
      </AccordionSummary>
      <AccordionDetails id={`year-${yearGroup.id}-sets`}>
        {isGone && <Gone />}
        {renaming ? (
          <RenameYearGroup yearGroup={yearGroup} taken={years} isGone={isGone} onDone={() => setRenaming(false)} />
        ) : (
          !isGone && (
            <div className={styles.buttons}>
              <Button variant="outlined" size="small" onClick={() => setRenaming(true)}>
                Rename
              </Button>
              <Button size="small" onClick={() => removal.ask(yearGroup)}>
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
