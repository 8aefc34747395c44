import { wrongName } from '#api/contract/rules';
import { DndContext, KeyboardSensor, PointerSensor, closestCenter, useDraggable, useDroppable, useSensor, useSensors } from '@dnd-kit/core';
import type { DragEndEvent } from '@dnd-kit/core';
import { IconButton, TextField } from '@mui/material';
import ArrowDownIcon from '@mui/icons-material/ArrowDownward';
import ArrowUpIcon from '@mui/icons-material/ArrowUpward';
import DeleteIcon from '@mui/icons-material/DeleteOutline';
import DragIcon from '@mui/icons-material/DragIndicator';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { memoRow } from '../drafts/memo-row.ts';
import { useNextRow } from '../dialog/useNextRow.ts';
import styles from './Assessments.module.css';
import type { PaperLine } from './paper.ts';
import { moved, wrongMarks } from './paper.ts';

type LinesProps = {
  readonly lines: readonly PaperLine[];
  /** What a changed question was, in words. */
  readonly wasOf: (line: PaperLine, number: number) => string | undefined;
  /** Makes the next paper from the one that stands now. It stays the same while the paper is typed. */
  readonly onChange: (step: (lines: readonly PaperLine[]) => readonly PaperLine[]) => void;
  readonly onRemove: (line: PaperLine) => void;
};

export const Lines = ({ lines, wasOf, onChange, onRemove }: LinesProps) => {
  const [announcement, setAnnouncement] = useState('');
  const { list, deleted } = useNextRow();
  const sensors = useSensors(useSensor(PointerSensor, POINTER), useSensor(KeyboardSensor));
  const { length } = lines;
  const move = useCallback(
    (from: number, to: number) => {
      if (to < 0 || to >= length) return;
      onChange((now) => moved(now, from, to));
      setAnnouncement(`Question ${from + 1} is question ${to + 1} now.`);
    },
    [length, onChange],
  );
  const change = useCallback(
    (key: string, values: Partial<PaperLine>) => onChange((now) => now.map((line) => (line.key === key ? { ...line, ...values } : line))),
    [onChange],
  );
  const removing = useRef(onRemove);
  useLayoutEffect(() => {
    removing.current = onRemove;
  });
  const remove = useCallback(
    (line: PaperLine, index: number) => {
      removing.current(line);
      deleted(index);
    },
    [deleted],
  );
  const placeOf = (key: unknown) => lines.findIndex((line) => line.key === key);
  const dropped = ({ active, over }: DragEndEvent) => over && move(placeOf(active.id), placeOf(over.id));
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={dropped}>
      <ol ref={list} className="stack" aria-label="Questions">
        {lines.map((line, index) => (
          <Row
            key={line.key}
            line={line}
            was={wasOf(line, index + 1)}
            index={index}
            last={lines.length - 1}
            onMove={move}
            onChange={change}
            onRemove={remove}
          />
        ))}
      </ol>
      <span className="sr" role="status">
        {announcement}
      </span>
    </DndContext>
  );
};

type RowProps = {
  readonly line: PaperLine;
  readonly was: string | undefined;
  readonly index: number;
  readonly last: number;
  readonly onMove: (from: number, to: number) => void;
  readonly onChange: (key: string, change: Partial<PaperLine>) => void;
  readonly onRemove: (line: PaperLine, index: number) => void;
};

const Row = memoRow(({ line, was, index, last, onMove, onChange, onRemove }: RowProps) => {
  const { key, topic, marks } = line;
  const number = index + 1;
  const { setNodeRef, attributes, listeners, transform, isDragging } = useDraggable({ id: key });
  const { setNodeRef: setTarget, isOver } = useDroppable({ id: key });
  const ref = (node: HTMLElement | null) => {
    setNodeRef(node);
    setTarget(node);
  };
  const style = transform ? { transform: `translateY(${transform.y}px)` } : {};
  return (
    <li ref={ref} style={style} className={`${styles.line} ${isDragging ? styles.dragged : ''} ${isOver ? styles.over : ''}`}>
      <span className={styles.handle} title="Drag to another place" {...attributes} {...listeners} aria-label={`Drag question ${number}`}>
        <DragIcon fontSize="small" />
      </span>
      <span className="figure">{number}</span>
      <TextField
        value={topic}
        error={wrongName(topic) !== undefined}
        helperText={wrongName(topic)}
        onChange={({ target }) => onChange(key, { topic: target.value })}
        slotProps={{ htmlInput: { 'aria-label': `Topic of question ${number}`, maxLength: 500 } }}
      />
      <TextField
        value={marks}
        error={wrongMarks(marks) !== undefined}
        helperText={wrongMarks(marks)}
        onChange={({ target }) => onChange(key, { marks: target.value })}
        slotProps={{
          htmlInput: { 'aria-label': `Marks of question ${number}`, inputMode: 'numeric', maxLength: 6 },
          input: { endAdornment: <span className="muted">{marks.trim() === '1' ? 'mark' : 'marks'}</span> },
        }}
      />
      <span className="line">
        <IconButton
          size="small"
          aria-label={`Move question ${number} up`}
          aria-disabled={index === 0}
          onClick={() => onMove(index, index - 1)}
        >
          <ArrowUpIcon fontSize="small" />
        </IconButton>
        <IconButton
          size="small"
          aria-label={`Move question ${number} down`}
          aria-disabled={index === last}
          onClick={() => onMove(index, index + 1)}
        >
          <ArrowDownIcon fontSize="small" />
        </IconButton>
        <IconButton size="small" data-delete aria-label={`Delete question ${number}`} onClick={() => onRemove(line, index)}>
          <DeleteIcon fontSize="small" />
        </IconButton>
      </span>
      {was !== undefined && <small className={`muted small ${styles.was}`}>{was}</small>}
    </li>
  );
});

/** Named once: with another object for each key, every row would be drawn again. */
const POINTER = { activationConstraint: { distance: 4 } };
