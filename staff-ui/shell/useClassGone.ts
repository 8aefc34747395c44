import type { Structure } from '#api/school/school.contract';
import { useEffect, useRef } from 'react';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useMoment } from '../moment.ts';
import type { SchoolSet } from './place.ts';

/**
 * Tells the user that the class of the page was deleted while it was shown: the page then shows all classes, or another one of that name.
 *
 * @param whose the teacher whose classes these are, where one was chosen: another has other classes
 */
export const useClassGone = (structure: Structure | undefined, set: SchoolSet | undefined, whose?: string): void => {
  const toast = useToast();
  const { asOf } = useMoment();
  const shown = useRef<{ readonly subjectId: string; readonly whose: string | undefined; readonly set: SchoolSet }>(undefined);
  useEffect(() => {
    if (!structure || asOf !== undefined) {
      shown.current = undefined;
      return;
    }
    const { subjectId } = structure.subject;
    const before = shown.current;
    shown.current = set && { subjectId, whose, set };
    const isThere = structure.yearGroups.some(({ sets }) => sets.some(({ setId }) => setId === before?.set.setId));
    if (before && before.subjectId === subjectId && before.whose === whose && !isThere)
      toast({
        tone: 'warn',
        text: `${before.set.name} has been deleted, or is no longer one of your classes. ${set ? 'Another class is' : 'All classes are'} shown.`,
      });
  }, [structure, set, whose, asOf, toast]);
};
