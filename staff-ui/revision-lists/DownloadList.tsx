import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import type { MarkFor } from '#api/revision-lists/revision-list.contract';
import { personalList } from '#api/revision-lists/revision-list.contract';
import { useRef, useState } from 'react';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { sentence } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Select } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useSend } from '../../ui/sending/useSend.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { counted } from '../format.ts';
import type { SchoolSet } from '../shell/place.ts';
import type { listOf, Page, Question } from './edits.ts';
import styles from './RevisionLists.module.css';

type List = ReturnType<typeof listOf>;
type DownloadListProps = { readonly page: Page; readonly list: List; readonly sitting: readonly SchoolSet[] };

/** The list as a PDF: one for all, or one for each student of a class with what they lost marks on. */
export const DownloadList = ({ page: { test }, list, sitting }: DownloadListProps) => {
  const { me } = useSession();
  const api = useApi();
  const client = useQueryClient();
  const toast = useToast();
  const [paper, setPaper] = useState<'a4' | 'letter'>(() => (/-(?:US|CA)$/iu.test(navigator.language) ? 'letter' : 'a4'));
  const [picked, setPicked] = useState('');
  const set = sitting.find(({ setId }) => setId === picked) ?? sitting[0];
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>();
  const stop = useRef<AbortController>(undefined);
  const { send, pending, error } = useSend({
    act: async (of: SchoolSet | undefined) => {
      const aborting = new AbortController();
      stop.current = aborting;
      const [{ revisionListFile, REVISION_FILE }, { readFont }, { saveFile }, sheet] = await Promise.all([
        import('../../ui/reports/revision-list.ts'),
        import('../../ui/reports/read-font.ts'),
        import('../../ui/file/save-file.ts'),
        of && client.fetchQuery(question(api, 'sheet', { testId: test.testId, setId: of.setId })),
      ]);
      const parts = of && sheet ? personalParts(sheet, of, list) : [{ test: test.name, headers: list.map(headerOf) }];
      if (parts.length === 0) throw new NoMarks(`Nobody in ${of?.name ?? 'the class'} has marks by question in ${test.name} yet.`);
      const { file, unprintable } = await revisionListFile(
        { school: me.school.name, paper, created: new Date(), font: readFont, parts },
        { signal: aborting.signal, onProgress: (done, all) => setProgress({ done, all }) },
      );
      saveFile(of ? REVISION_FILE.replace('.', ` ${of.name}.`) : REVISION_FILE, file, 'application/pdf');
      return { unprintable, without: sheet ? sheet.students.length - parts.length : 0 };
    },
    onDone: ({ unprintable, without }) => {
      const told = [
        without > 0 && `${counted(without, 'student')} without marks by question ${without === 1 ? 'is' : 'are'} left out.`,
        unprintable.length > 0 && `These letters cannot be printed: ${unprintable.join(' ')}`,
      ].filter((text) => text !== false);
      if (told.length > 0) toast({ tone: 'warn', text: told.join(' ') });
    },
    showsError: true,
  });
  const download = async (of: SchoolSet | undefined) => {
    setProgress(undefined);
    await send(of);
  };
  const wasStopped = error instanceof DOMException && error.name === 'AbortError';
  return (
    <aside className={styles.download} aria-label="Download">
      <Select label="Paper" value={paper} onChange={({ target }) => setPaper(target.value === 'letter' ? 'letter' : 'a4')}>
        <option value="a4">A4</option>
        <option value="letter">Letter</option>
      </Select>
      <Button look="primary" disabled={list.length === 0 || pending} onClick={() => void download(undefined)}>
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
          <p className={styles.hint}>Only the topics on which the student lost marks, the worst first.</p>
          <Button disabled={list.length === 0 || pending} onClick={() => void download(set)}>
            Download personal lists
          </Button>
        </>
      )}
      {pending && (
        <div className={styles.progress} role="status">
          <progress value={progress ? progress.done / progress.all : undefined} aria-label="Making the file" />
          <span>{progress ? `${progress.done} of ${progress.all}` : 'Making the file…'}</span>
          <Button look="plain" onClick={() => stop.current?.abort()}>
            Cancel
          </Button>
        </div>
      )}
      {error !== undefined && !wasStopped && (
        <Notice tone="bad" title={error instanceof NoMarks ? error.message : `The file could not be made. ${sentence(error)}`} />
      )}
    </aside>
  );
};

class NoMarks extends Error {}

const headerOf = ({ name, under }: Pick<List[number], 'name' | 'under'>) => ({
  name,
  topics: under.map(({ number, topic, text }) => ({ number, topic: text ?? topic })),
});

/** The lists of the students who have marks by question; one who lost none has an empty list, which says so. */
const personalParts = (sheet: Sheet, set: SchoolSet, list: List) => {
  const headers = list.map(({ under, ...header }) => ({ ...header, questions: under }));
  return sheet.students
    .filter(({ attendance, effective }) => attendance.value === 'sat' && effective.count > 0)
    .map((student) => ({
      test: sheet.name,
      student: `${set.name} · ${student.name ?? 'Forgotten student'}`,
      headers: personalList<Question, (typeof headers)[number]>(headers, marksOf(sheet, student)).map(({ questions, ...header }) =>
        headerOf({ ...header, under: questions }),
      ),
    }));
};

const marksOf = ({ questions }: Sheet, { cells }: SheetStudent): ReadonlyMap<string, MarkFor> =>
  new Map(questions.map(({ questionId, max }, index) => [questionId, { mark: cells[index]?.value ?? null, max }]));
