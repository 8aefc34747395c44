import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { IconButton } from '@mui/material';
import { ChipsInput } from '../drafts/ChipsInput.tsx';
import { RowTrouble } from '../drafts/RowTrouble.tsx';
import type { DraftErrors } from '../drafts/useDrafts.ts';
import type { Named, Teacher } from './teacher.ts';
import styles from './Teachers.module.css';

type TeacherRowProps = {
  readonly teacher: Teacher;
  readonly sets: readonly Named[];
  readonly errors: DraftErrors;
  readonly onChange: (setIds: readonly string[]) => void;
  readonly onReload: () => void;
  readonly onRemove: () => void;
};

export const TeacherRow = ({ teacher, sets, errors, onChange, onReload, onRemove }: TeacherRowProps) => {
  const name = teacher.name ?? 'A forgotten teacher';
  return (
    <li className={styles.row}>
      <h2>{name}</h2>
      <ChipsInput label={`Classes of ${name}`} choices={sets} chosen={teacher.setIds} onChange={onChange} error={errors['setIds']} />
      <IconButton aria-label={`Remove ${name}`} onClick={onRemove}>
        <DeleteIcon fontSize="small" />
      </IconButton>
      <RowTrouble text={errors['']} onReload={onReload} />
    </li>
  );
};
