import { Button } from '@mui/material';
import type { ChangeEvent } from 'react';
import { useRef, useState } from 'react';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { counted } from '../../format.ts';
import styles from './Topics.module.css';

type Outcome = { readonly tone: 'good' | 'bad'; readonly title: string; readonly detail?: string | undefined };

/** Appends the topics of a CSV file (column SoW_Topic); nothing is stored before Save. */
export const TopicsFile = ({ onTopics }: { readonly onTopics: (names: readonly string[]) => void }) => {
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<Outcome>();
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    const answer = await topicsOf(file);
    target.value = '';
    if (answer.ok) onTopics(answer.names);
    setOutcome(
      answer.ok
        ? { tone: 'good', title: `${counted(answer.names.length, 'topic')} read from ${file.name}. Save to store them.` }
        : { tone: 'bad', title: answer.message, detail: answer.detail },
    );
  };
  return (
    <div className={styles.file}>
      {outcome && (
        <Notice tone={outcome.tone} title={outcome.title}>
          {outcome.detail}
        </Notice>
      )}
      <Button variant="outlined" onClick={() => input.current?.click()}>
        Upload topics (CSV)
      </Button>
      <input ref={input} type="file" accept=".csv,text/csv" aria-label="File of topics" hidden onChange={(event) => void read(event)} />
      <a href={`${import.meta.env.BASE_URL}sow_upload.csv`} download="sow_upload.csv">
        Download the template
      </a>
    </div>
  );
};

type Topics =
  | { readonly ok: true; readonly names: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly detail?: string };

const topicsOf = async (file: File): Promise<Topics> => {
  const [{ parseScheme }, { fileMessages, refusedUnread }] = await Promise.all([
    import('#api/school/scheme-file.contract'),
    import('#api/contract/csv/file'),
  ]);
  const unread = refusedUnread(file, fileMessages.wrongFormat);
  if (unread) return unread;
  const parsed = parseScheme({ name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) });
  return parsed.ok ? { ok: true, names: parsed.rows.map(({ topic }) => topic) } : parsed;
};
