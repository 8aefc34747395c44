import { Changes } from '../../../ui/frame/ReadOnly.tsx';
import { ListBase } from 'react-admin';
import { Page } from '../../../ui/frame/Page.tsx';
import { subjectPage } from '../../frame/NeedsSubject.tsx';
import { Deleted } from '../../list/Deleted.tsx';
import { ListExport } from '../../list/ListExport.tsx';
import { ExamForm } from './ExamForm.tsx';
import { ExamTimeline } from './ExamTimeline.tsx';
import type { TerminalExam } from './ExamForm.tsx';
import styles from './TerminalExams.module.css';

/** The examinations at the end of a stage, which prior and end scores refer to. */
export const TerminalExamsPage = subjectPage('Terminal Exams', ({ subjectId, name }) => {
  return (
    <ListBase<TerminalExam>
      resource="terminalExams"
      perPage={200}
      sort={{ field: 'yearSat', order: 'ASC' }}
      filter={{ subjectId }}
      disableSyncWithLocation
    >
      <Page title="Terminal Exams" sub={name} actions={<ListExport file="terminal_exams" columns={columns} />}>
        <p className={`box ${styles.about}`}>
          A terminal exam is the examination at the end of a stage of school, such as the Key Stage 2 tests in year 6 or the GCSE in year
          11. Its scores tell where a student started, or where students of earlier years ended up: rankings, residuals and the grade graph
          are based on them. Add each one with the school year in which it is sat.
        </p>
        <Changes>
          <ExamForm subjectId={subjectId} />
        </Changes>
        <ExamTimeline />
        <Deleted kinds={['terminalExam']} subjectId={subjectId} />
      </Page>
    </ListBase>
  );
});

const columns = [
  { label: 'School year', value: ({ yearSat }: TerminalExam) => yearSat },
  { label: 'Exam', value: ({ name }: TerminalExam) => name },
];
