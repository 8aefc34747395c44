import { sameName } from '#api/contract/names';
import { useQuery } from '@tanstack/react-query';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { useSession } from '../../ui/session/Session.tsx';

/** Beneath the refusal of a StudentID: who has it, and where. */
export const Holder = ({ admissionNo }: { readonly admissionNo: string }) => {
  const { me, subject } = useSession();
  const { data } = useQuery(question(useApi(), 'students-to-view', { find: admissionNo }));
  if (!data) return null;
  const holder = data.students.find((student) => sameName(student.admissionNo ?? '', admissionNo));
  if (!holder) return 'Somebody who was deleted has it: see Deleted students.';
  const isOther = ({ subjectId }: { readonly subjectId: string }): boolean => subjectId !== subject?.subjectId;
  const places = holder.places
    .toSorted((a, b) => Number(isOther(a)) - Number(isOther(b)))
    .map((place) => {
      const { set, subjectId } = place;
      const other = isOther(place) ? me.subjects.find((one) => one.subjectId === subjectId)?.name : undefined;
      return `${set ?? 'Off-Roll'}${other === undefined ? '' : ` of ${other}`}`;
    });
  return `${holder.name} has it, in ${places.join(' and ')}.`;
};

/** Whether a refusal is about a StudentID that somebody has. */
export const isTaken = (message: string | undefined): boolean => message?.startsWith('Student ID must be') ?? false;
