import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useStructure } from '../../data/useStructure.ts';
import { counted, listed } from '../../format.ts';

/** Which classes nobody teaches yet. */
export const WithoutTeacher = ({ subjectId }: { readonly subjectId: string }) => {
  const { data } = useStructure(subjectId);
  const taught = new Set(data?.teachers.flatMap(({ setIds }) => setIds));
  const names = data?.yearGroups.flatMap(({ sets }) => sets.flatMap(({ setId, name }) => (taught.has(setId) ? [] : [name]))) ?? [];
  return (
    names.length > 0 && <Notice title={`${counted(names.length, 'class has', 'classes have')} no teacher yet`}>{listed(names)}</Notice>
  );
};
