import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { IconButton, TextField } from '@mui/material';
import { ChipsInput } from '../../drafts/ChipsInput.tsx';
import { RowTrouble } from '../../drafts/RowTrouble.tsx';
import type { DraftErrors } from '../../drafts/useDrafts.ts';
import type { Teacher } from './teacher.ts';
import styles from './Teachers.module.css';

type TeacherRowProps = {
  /** As stored. */
  readonly stored: Teacher;
  /** With unsaved changes. */
  readonly teacher: Teacher;
  readonly sets: readonly { readonly id: string; readonly name: string }[];
  readonly errors: DraftErrors;
  readonly onChange: (values: Partial<Teacher>) => void;
  readonly onReload: () => void;
  readonly onRemove: () => void;
};

export const TeacherRow = ({ stored, teacher, sets, errors, onChange, onReload, onRemove }: TeacherRowProps) => {
  const called = stored.name ?? 'A forgotten teacher';
  return (
    <li className={styles.row} aria-label={called}>
      {teacher.name === null ? (
        <p>{called}</p>
      ) : (
        <TextField
          label="Teacher name"
          value={teacher.name}
          error={errors['name'] !== undefined}
          helperText={errors['name']}
          margin="none"
          onChange={({ target }) => onChange({ name: target.value })}
          slotProps={{ htmlInput: { maxLength: 50 } }}
        />
      )}
      <ChipsInput
        label={`Classes of ${called}`}
        choices={sets}
        chosen={teacher.setIds}
        onChange={(setIds) => onChange({ setIds })}
        error={errors['setIds']}
      />
      <IconButton aria-label={`Remove ${called}`} onClick={onRemove}>
        <DeleteIcon fontSize="small" />
      </IconButton>
      <RowTrouble text={errors['']} onReload={onReload} />
    </li>
  );
};
