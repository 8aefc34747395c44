import { FORGOTTEN_STUDENT, ofStudent } from '#api/contract/names';
import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import type { MarkFor } from '#api/revision-lists/revision-list.contract';
import { personalList } from '#api/revision-lists/revision-list.contract';
import { useState } from 'react';
import { useFresh } from '../../ui/api/ApiProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Select } from '../../ui/controls/Field.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useMoment } from '../moment.ts';
import { counted, dateTime } from '../format.ts';
import type { SchoolSet } from '../shell/place.ts';
import { paperOf } from '../../ui/reports/paper.ts';
import { PaperSelect } from '../shell/reports/PaperSelect.tsx';
import { Progress } from '../shell/reports/Progress.tsx';
import { NothingToReport, useReport } from '../shell/reports/useReport.ts';
import type { listOf, Page } from './edits.ts';

type List = ReturnType<typeof listOf>;
type DownloadListProps = { readonly page: Page; readonly list: List; readonly sitting: readonly SchoolSet[] };

/** The list as a PDF: one for all, or one for each student of a class with what they lost marks on. */
export const DownloadList = ({ page: { test }, list, sitting }: DownloadListProps) => {
  const { me } = useSession();
  const { asOf } = useMoment();
  const ask = useFresh(asOf);
  const [paper, setPaper] = useState(() => paperOf(navigator.language));
  const [picked, setPicked] = useState('');
  const set = sitting.find(({ setId }) => setId === picked) ?? sitting[0];
  const report = useReport<SchoolSet | undefined>(async (making, of) => {
    const [{ revisionListFile, REVISION_FILE }, { readFont }, sheet] = await Promise.all([
      import('../../ui/reports/revision-list.ts'),
      import('../../ui/reports/read-font.ts'),
      of && ask('sheet', { testId: test.testId, setId: of.setId }),
    ]);
    const parts = of && sheet ? personalParts(sheet, of, list) : [{ test: test.name, headers: list }];
    if (parts.length === 0) throw new NothingToReport(`Nobody in ${of?.name ?? 'the class'} has marks by question in ${test.name} yet.`);
    const now = new Date();
    const made = await revisionListFile(
      {
        school: me.school.name,
        words: me.school.reports,
        paper,
        created: now,
        moment: asOf === undefined ? now : new Date(asOf),
        font: readFont,
        parts,
      },
      making,
    );
    const without = sheet ? sheet.students.length - parts.length : 0;
    const { testId } = test;
    return {
      ...made,
      handOut: of
        ? { what: 'revision lists', as: 'file', testId, setId: of.setId, asOf }
        : { what: 'revision list', as: 'file', testId, asOf },
      fileName: of ? REVISION_FILE.replace('.', ` ${of.name}.`) : REVISION_FILE,
      notes: without > 0 ? [`${counted(without, 'student')} without marks by question ${without === 1 ? 'is' : 'are'} left out.`] : [],
    };
  });
  const cannot = list.length === 0 || report.pending;
  return (
    <aside className="stack gap-3" aria-label="Download">
      {asOf !== undefined && <p className="muted small">As it was on {dateTime(asOf)}.</p>}
      <PaperSelect paper={paper} onChange={setPaper} />
      <Button look="primary" disabled={cannot} onClick={() => void report.make(undefined)}>
        Download Revision List
      </Button>
      {set && (
        <>
          <Select label="A list for each student of" value={set.setId} onChange={({ target }) => setPicked(target.value)}>
            {sitting.map(({ setId, name }) => (
              <option key={setId} value={setId}>
                {name}
              </option>
            ))}
          </Select>
          <p className="muted small">Only the topics on which the student lost marks, the worst first.</p>
          <Button disabled={cannot} onClick={() => void report.make(set)}>
            Download personal lists
          </Button>
        </>
      )}
      <Progress report={report} />
    </aside>
  );
};

/** The lists of the students who have marks by question; one who lost none has an empty list, which says so. */
const personalParts = (sheet: Sheet, set: SchoolSet, list: List) =>
  sheet.students
    .filter(({ attendance, effective }) => attendance.value === 'sat' && effective.count > 0)
    .map((student) => ({
      test: sheet.name,
      student: student.name ?? FORGOTTEN_STUDENT,
      of: ofStudent(set, student),
      headers: personalList(list, marksOf(sheet, student)),
    }));

const marksOf = ({ questions }: Sheet, { cells }: SheetStudent): ReadonlyMap<string, MarkFor> =>
  new Map(questions.map(({ questionId, max }, index) => [questionId, { mark: cells[index]?.value ?? null, max }]));
