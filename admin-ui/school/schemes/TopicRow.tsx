import { wrongName } from '#api/contract/rules';
import { useDraggable, useDroppable } from '@dnd-kit/core';
import ArrowDownwardIcon from '@mui/icons-material/ArrowDownward';
import ArrowUpwardIcon from '@mui/icons-material/ArrowUpward';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import DragIcon from '@mui/icons-material/DragIndicator';
import { IconButton, TextField } from '@mui/material';
import { useController, useFormState } from 'react-hook-form';
import type { Topic } from './scheme.ts';
import styles from './Topics.module.css';

type Fields = { readonly topics: readonly Topic[] };
type TopicRowProps = {
  readonly index: number;
  readonly last: boolean;
  readonly onMove: (to: number) => void;
  readonly onDelete: () => void;
};

export const TopicRow = ({ index, last, onMove, onDelete }: TopicRowProps) => {
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
      className={styles.row}
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
