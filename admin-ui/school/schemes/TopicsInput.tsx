import { DndContext, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { Button, TextField } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import { Confirm } from 'react-admin';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Typed } from '../../dialog/FormDialog.tsx';
import { useNextRow } from '../../dialog/useNextRow.ts';
import type { Topic } from './scheme.ts';
import { TopicRow } from './TopicRow.tsx';
import { TopicsFile } from './TopicsFile.tsx';
import styles from './Topics.module.css';

type Fields = { readonly topics: Topic[] };

/** The topics in order: typed, moved by buttons or dragging, deleted, added, or read from a file. */
export const TopicsInput = () => {
  const { getValues } = useFormContext<Fields>();
  const { fields, append, move, remove } = useFieldArray<Fields, 'topics', 'key'>({ name: 'topics', keyName: 'key' });
  const [asked, setAsked] = useState<number>();
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const { list, deleted } = useNextRow();
  const drop = (index: number) => {
    remove(index);
    deleted(index);
  };
  const isMapped = (index: number): boolean => getValues(`topics.${index}`).mapped === true;
  return (
    <fieldset className={styles.topics}>
      <legend>Topics</legend>
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
              onDelete={() => (isMapped(index) ? setAsked(index) : drop(index))}
            />
          ))}
        </ol>
      </DndContext>
      {fields.length === 0 && <p className={styles.none}>No topics yet.</p>}
      <AddTopic onAdd={(name) => append({ name }, { shouldFocus: false })} />
      <TopicsFile onTopics={(names) => append(namesNotIn(getValues('topics'), names), { shouldFocus: false })} />
      {asked !== undefined && (
        <Confirm
          isOpen
          title={`Delete ${getValues(`topics.${asked}`).name}?`}
          content="Topics or questions are mapped to it. Those mappings will not count any more once you save."
          confirm="Delete"
          confirmColor="warning"
          onConfirm={() => {
            drop(asked);
            setAsked(undefined);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </fieldset>
  );
};

/** Names of the file that the scheme does not have yet. */
const namesNotIn = (topics: readonly Topic[] | undefined, names: readonly string[]): Topic[] => {
  const known = new Set((topics ?? []).map(({ name }) => name.trim().toLowerCase()));
  return names.filter((name) => !known.has(name.toLowerCase())).map((name) => ({ name }));
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
    <div className={styles.add}>
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
