import { useDataProvider } from 'react-admin';
import { AddBox } from '../../drafts/AddBox.tsx';
import type { YearGroup } from './set.ts';
import { yearTrouble } from './set.ts';

type AddYearGroupProps = { readonly subjectId: string; readonly taken: readonly number[]; readonly onAdded: (added: YearGroup) => void };

export const AddYearGroup = ({ subjectId, taken, onAdded }: AddYearGroupProps) => {
  const provider = useDataProvider();
  return (
    <AddBox
      label="New year group, such as 11"
      button="Add year group"
      main
      wrong={(text) => yearTrouble(text, taken)}
      onAdd={(text) => provider.create<YearGroup>('yearGroups', { data: { subjectId, year: Number(text) } })}
      notice={(text) => `Year ${Number(text)} added.`}
      onAdded={({ data }) => onAdded(data)}
      input={{ inputMode: 'numeric' }}
    />
  );
};
