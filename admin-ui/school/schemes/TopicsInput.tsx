import { DndContext, PointerSensor, useSensor, useSensors, useDraggable, useDroppable } from '@dnd-kit/core';
import { Button, TextField, IconButton } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import { Confirm } from '../../../ui/controls/Confirm.tsx';
import { useFieldArray, useFormContext, useController, useFormState } from 'react-hook-form';
import { Typed } from '../../dialog/FormDialog.tsx';
import { useNextRow } from '../../dialog/useNextRow.ts';
import type { Topic } from './scheme.ts';
import styles from './Topics.module.css';
import { wrongName } from '#api/contract/rules';
import ArrowDownwardIcon from '@mui/icons-material/ArrowDownward';
import ArrowUpwardIcon from '@mui/icons-material/ArrowUpward';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import DragIcon from '@mui/icons-material/DragIndicator';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { FilePicker } from '../../../ui/file/FilePicker.tsx';
import { counted } from '../../format.ts';

type Fields = { readonly topics: Topic[] };

/** The topics in order: typed, moved by buttons or dragging, deleted, added, or read from a file. */
export const TopicsInput = () => {
  const { getValues } = useFormContext<Fields>();
  const { fields, append, move, remove } = useFieldArray<Fields, 'topics', 'key'>({ name: 'topics', keyName: 'key' });
  const [toDelete, setToDelete] = useState<number>();
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const { list, deleted } = useNextRow();
  const drop = (index: number) => {
    remove(index);
    deleted(index);
  };
  const isMapped = (index: number): boolean => getValues(`topics.${index}`).mapped === true;
  return (
    <fieldset className={styles.topics}>
      <legend className="strong">Topics</legend>
      <DndContext
        sensors={sensors}
        onDragEnd={({ active, over }) => {
          if (over) move(Number(active.id), Number(over.id));
        }}
      >
        <ol ref={list}>
          {fields.map(({ key }, index) => (
            <TopicRow
              key={key}
              index={index}
              last={index === fields.length - 1}
              onMove={(to) => move(index, to)}
              onDelete={() => (isMapped(index) ? setToDelete(index) : drop(index))}
            />
          ))}
        </ol>
      </DndContext>
      {fields.length === 0 && <p className="muted">No topics yet.</p>}
      <AddTopic onAdd={(name) => append({ name }, { shouldFocus: false })} />
      <TopicsFile onTopics={(names) => append(namesNotIn(getValues('topics'), names), { shouldFocus: false })} />
      {toDelete !== undefined && (
        <Confirm
          title={`Delete ${getValues(`topics.${toDelete}`).name}?`}
          go="Delete"
          removes
          onGo={() => {
            drop(toDelete);
            setToDelete(undefined);
          }}
          onClose={() => setToDelete(undefined)}
        >
          <p>Topics or questions are mapped to it. Those mappings will not count any more once you save.</p>
        </Confirm>
      )}
    </fieldset>
  );
};

/** Names of the file that the scheme does not have yet. */
const namesNotIn = (topics: readonly Topic[] | undefined, names: readonly string[]): Topic[] => {
  const existing = new Set((topics ?? []).map(({ name }) => name.trim().toLowerCase()));
  return names.filter((name) => !existing.has(name.toLowerCase())).map((name) => ({ name }));
};

const AddTopic = ({ onAdd }: { readonly onAdd: (name: string) => void }) => {
  const [name, setName] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const add = () => {
    if (name.trim() === '') return;
    onAdd(name.trim());
    setName('');
  };
  // Saved with the scheme though nobody pressed Add topic: before the form reads its fields, so on its way down.
  useEffect(() => {
    const form = input.current?.form;
    form?.addEventListener('submit', add, { capture: true });
    return () => form?.removeEventListener('submit', add, { capture: true });
  });
  return (
    <div className={`row gap-3 ${styles.add}`}>
      <Typed when={name.trim() !== ''} />
      <TextField
        label="New topic"
        inputRef={input}
        value={name}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter adds the topic instead of submitting the scheme.
          event.preventDefault();
          add();
        }}
        slotProps={{ htmlInput: { maxLength: 200 } }}
      />
      <Button variant="outlined" onClick={add} disabled={name.trim() === ''}>
        Add topic
      </Button>
    </div>
  );
};

type TopicRowProps = {
  readonly index: number;
  readonly last: boolean;
  readonly onMove: (to: number) => void;
  readonly onDelete: () => void;
};

const TopicRow = ({ index, last, onMove, onDelete }: TopicRowProps) => {
  const { setNodeRef: placeRef, isOver } = useDroppable({ id: index });
  const { setNodeRef: gripRef, listeners, transform } = useDraggable({ id: index });
  const { field } = useController<Fields, `topics.${number}.name`>({ name: `topics.${index}.name`, rules: { validate: required } });
  const { errors } = useFormState<Fields>();
  const wrong = errors.topics?.[index];
  const message = wrong?.name?.message ?? wrong?.message;
  const label = `Topic ${index + 1}`;
  return (
    <li
      ref={placeRef}
      className={`line ${styles.row}`}
      data-over={isOver || undefined}
      style={transform ? { transform: `translateY(${transform.y}px)`, zIndex: 1 } : undefined}
    >
      <span ref={gripRef} {...listeners} className={styles.grip} aria-hidden="true">
        <DragIcon fontSize="small" />
      </span>
      <TextField
        {...field}
        error={message !== undefined}
        helperText={message}
        margin="none"
        slotProps={{ htmlInput: { 'aria-label': label, maxLength: 200 } }}
      />
      <IconButton aria-label={`Move ${label} up`} aria-disabled={index === 0} onClick={() => index > 0 && onMove(index - 1)}>
        <ArrowUpwardIcon fontSize="small" />
      </IconButton>
      <IconButton aria-label={`Move ${label} down`} aria-disabled={last} onClick={() => !last && onMove(index + 1)}>
        <ArrowDownwardIcon fontSize="small" />
      </IconButton>
      <IconButton data-delete aria-label={`Delete ${label}`} onClick={onDelete}>
        <DeleteIcon fontSize="small" />
      </IconButton>
    </li>
  );
};

const required = (name: string): string | true => wrongName(name) ?? true;

type Outcome = { readonly tone: 'good' | 'bad'; readonly title: string; readonly detail?: string | undefined };

/** Appends the topics of a CSV file (column SoW_Topic); nothing is stored before Save. */
const TopicsFile = ({ onTopics }: { readonly onTopics: (names: readonly string[]) => void }) => {
  const [outcome, setOutcome] = useState<Outcome>();
  const read = async (file: File) => {
    const answer = await topicsOf(file);
    if (answer.ok) onTopics(answer.names);
    setOutcome(
      answer.ok
        ? { tone: 'good', title: `${counted(answer.names.length, 'topic')} read from ${file.name}. Save to store them.` }
        : { tone: 'bad', title: answer.message, detail: answer.detail },
    );
  };
  return (
    <div className={`stack ${styles.file}`}>
      {outcome && (
        <Notice tone={outcome.tone} title={outcome.title}>
          {outcome.detail}
        </Notice>
      )}
      <FilePicker file={undefined} onFile={(file) => void read(file)} template={`${import.meta.env.BASE_URL}sow_upload.csv`} />
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
