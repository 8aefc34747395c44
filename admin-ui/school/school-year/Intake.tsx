import type { SchoolYearPlan } from '#api/school/school-year/school-year.contract';
import type { StudentRow } from '#api/students/students-file.contract';
import { BroughtFile, LeftOut } from '../../../ui/file/brought/BroughtFile.tsx';
import { useBrought } from '../../../ui/file/brought/useBrought.ts';
import { FilePicker } from '../../../ui/file/FilePicker.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { counted } from '../../format.ts';
import styles from './SchoolYear.module.css';
import { useEffect, useEffectEvent } from 'react';

type IntakeProps = {
  readonly subjectId: string;
  readonly intake: SchoolYearPlan['intake'];
  readonly onChange: (intake: SchoolYearPlan['intake']) => void;
};

/** The file of those who come, or of everybody with the sets of the new year. */
export const Intake = ({ subjectId, intake, onChange }: IntakeProps) => {
  const brought = useBrought(async () => (await import('../../students/import/kind.ts')).studentsKind, `${subjectId}.students`);
  const { file, view } = brought;
  const rows = view.brought?.parsed?.rows;
  const take = useEffectEvent((read: readonly StudentRow[]) => {
    if (read.length > 0) onChange({ fileName: file?.name ?? '', rows: read.map(({ line: _, ...row }) => row), correct: false });
  });
  useEffect(() => {
    if (rows) take(rows);
  }, [rows]);
  return (
    <section className={`stack ${styles.section}`} aria-label="Students who come">
      <div className="row gap-4">
        <h2>Students who come</h2>
        {intake && (
          <Button
            look="remove"
            onClick={() => {
              brought.choose(undefined);
              onChange(null);
            }}
          >
            Leave out the file
          </Button>
        )}
      </div>
      <p className="muted">
        A file with StudentID, Name, Set and DoB, with the names that classes have in the new year. Whoever is here already moves to the
        class in the file; everybody else stays.
      </p>
      {intake && !file && (
        <p>
          {intake.fileName}: {counted(intake.rows.length, 'student')}
        </p>
      )}
      <FilePicker
        takesWorkbooks
        file={file}
        onFile={(next) => {
          brought.choose(next);
          void brought.read(next);
        }}
        template={`${import.meta.env.BASE_URL}student_upload.csv`}
      />
      <BroughtFile view={view} expected="Its first line has to be StudentID, Name, Set, DoB." />
      <LeftOut rows={(rows && view.brought?.rows) ?? []} />
      {intake && (
        <label className="line">
          <input type="checkbox" checked={intake.correct} onChange={({ target }) => onChange({ ...intake, correct: target.checked })} />
          Names and dates of birth in the file count where they differ
        </label>
      )}
    </section>
  );
};
