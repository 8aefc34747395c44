import { useSession } from '../../ui/session/Session.tsx';
import { useMoment } from '../moment.ts';
import { useStructure } from '../queries.ts';
import { useArea } from './area.ts';
import { usePlace } from './place.ts';
import { useClassGone } from './useClassGone.ts';
import { useOwnClasses, useViewing } from './viewed/TeacherProvider.tsx';

/** What a page about classes starts from: the subject, the classes that it may show, and which year group and class the address names. */
export const useClassPage = () => {
  const { subject } = useSession();
  const structure = useStructure();
  const classes = useOwnClasses(structure.data);
  const viewed = useViewing()?.chosen;
  const place = usePlace(classes);
  useClassGone(classes, place.set, viewed?.teacherId);
  return { ...place, subject, structure, classes, viewed, area: useArea(), asOf: useMoment().asOf };
};
