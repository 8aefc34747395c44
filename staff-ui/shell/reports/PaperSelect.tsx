import { Select } from '../../../ui/controls/Field.tsx';
import type { Paper } from '../../../ui/reports/paper.ts';

export const PaperSelect = ({ paper, onChange }: { readonly paper: Paper; readonly onChange: (paper: Paper) => void }) => (
  <Select label="Paper" value={paper} onChange={({ target }) => onChange(target.value === 'letter' ? 'letter' : 'a4')}>
    <option value="a4">A4</option>
    <option value="letter">Letter</option>
  </Select>
);
