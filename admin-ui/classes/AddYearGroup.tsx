import { useCreate } from 'react-admin';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { AddBox } from '../drafts/AddBox.tsx';
import type { YearGroup } from './set.ts';
import { yearTrouble } from './set.ts';

type AddYearGroupProps = { readonly subjectId: string; readonly taken: readonly number[]; readonly onAdded: (added: YearGroup) => void };

export const AddYearGroup = ({ subjectId, taken, onAdded }: AddYearGroupProps) => {
  const [create] = useCreate<YearGroup>();
  const toast = useToast();
  const add = async (text: string) => {
    const added = await create('yearGroups', { data: { subjectId, year: Number(text) } }, { returnPromise: true });
    toast({ tone: 'good', text: `Year ${Number(text)} added.` });
    if (added) onAdded(added);
  };
  return (
    <AddBox
      label="New year group, such as 11"
      button="Add year group"
      main
      wrong={(text) => yearTrouble(text, taken)}
      onAdd={add}
      input={{ inputMode: 'numeric' }}
    />
  );
};
