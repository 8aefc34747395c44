import { Accordion, AccordionDetails, AccordionSummary } from '@mui/material';
import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import { useListContext } from 'react-admin';
import { leaving } from '../../ui/session/unsaved.ts';
import { counted } from '../format.ts';
import { useRemove } from '../dialog/useRemove.tsx';
import { useHeld } from '../list/useHeld.ts';
import type { Assessment } from './assessment.ts';
import { useContents, whatGoes } from './assessment.ts';
import type { Doing } from './AssessmentDetails.tsx';
import { AssessmentDetails } from './AssessmentDetails.tsx';
import styles from './Assessments.module.css';

type AssessmentListProps = {
  readonly open: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  readonly doing: Doing | undefined;
  readonly onDo: (what: Doing | undefined) => void;
};

/** One open at a time. */
export const AssessmentList = ({ open, onOpen, doing, onDo }: AssessmentListProps) => {
  const { data = [] } = useListContext<Assessment>();
  const shown = useHeld(data, doing && open);
  const removal = useRemove<Assessment>({
    resource: 'assessments',
    act: 'Delete',
    title: ({ name }) => `Delete ${name}?`,
    content: explained,
    done: ({ name }) => `${name} deleted.`,
    undo: { kind: 'assessment', called: ({ name }) => name },
  });
  return (
    <div className={styles.list}>
      {shown.map((assessment) => {
        const { id, name, questions, max, visible } = assessment;
        return (
          <Accordion
            key={id}
            expanded={open === id}
            // Closing the open assessment discards its input.
            onChange={(_event, opened) =>
              leaving('app', () => {
                onOpen(opened ? id : undefined);
                onDo(undefined);
              })
            }
            slotProps={{ transition: { unmountOnExit: true }, heading: { component: 'h2' } }}
          >
            <AccordionSummary expandIcon={<ExpandMoreIcon />}>
              <span className="strong">{name}</span>
              <span className={`muted ${styles.facts}`}>
                {questions === 0 ? 'no questions yet' : `${counted(questions, 'question')}, ${counted(max ?? 0, 'mark')}`}
                {visible && ' · shown to students'}
              </span>
            </AccordionSummary>
            <AccordionDetails>
              <AssessmentDetails assessment={assessment} doing={doing} onDo={onDo} onDelete={() => removal.ask(assessment)} />
            </AccordionDetails>
          </Accordion>
        );
      })}
      {removal.dialog}
    </div>
  );
};

const explained = (assessment: Assessment) => <WhatGoes assessment={assessment} />;

const WhatGoes = ({ assessment }: { readonly assessment: Assessment }) => {
  const { data } = useContents(assessment);
  return data ? whatGoes(data) : 'Checking what would be deleted with it…';
};
