import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import type { NavItem } from '../../ui/frame/Frame.tsx';
import { Frame } from '../../ui/frame/Frame.tsx';
import { PersonMenu } from '../../ui/frame/PersonMenu.tsx';
import { useMoment } from '../as-of/useMoment.ts';
import { BouncedHome } from '../session/guards.tsx';
import { useSession } from '../session/Session.tsx';
import { useUploadDialogs } from '../upload/request.ts';
import { NotStoredYet } from '../typing/NotStoredYet.tsx';
import { TypingProvider } from '../typing/Typing.tsx';
import { UploadDialogs } from '../upload/UploadDialogs.tsx';
import type { Area } from './area.ts';
import { useArea } from './area.ts';
import { homeIcon, markbookIcon, resultsIcon, totalsIcon } from './icons.tsx';
import { SubjectPicker } from './SubjectPicker.tsx';

/** Around every page of teachers and leaders. */
export const StaffShell = () =>
  useSession().me.role === 'student' ? (
    <BouncedHome />
  ) : (
    <TypingProvider>
      <UploadDialogs>
        <ShellFrame />
      </UploadDialogs>
    </TypingProvider>
  );

const ShellFrame = () => {
  const { me } = useSession();
  const area = useArea();
  return (
    <Frame
      school={me.school.name}
      home={area}
      nav={useNav(area)}
      middle={<SubjectPicker />}
      person={<Person area={area} />}
      notices={<NotStoredYet />}
    >
      <Suspense fallback={<Skeleton rows={8} />}>
        <Outlet />
      </Suspense>
    </Frame>
  );
};

const useNav = (area: Area): readonly NavItem[] => {
  const { open, mayUpload } = useUploadDialogs();
  const { search } = useLocation();
  const { asOf } = useMoment();
  /** The class that one looks at stays the same from page to page. */
  const kept = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => name === 'year' || name === 'set')).toString();
  const query = kept && `?${kept}`;
  return [
    { label: 'Home', icon: homeIcon, to: area + query, end: true },
    { label: 'Markbook', icon: markbookIcon, to: `${area}/markbook${query}` },
    ...(mayUpload && asOf === undefined
      ? [
          { label: 'Upload Student Assessment Totals', icon: totalsIcon, act: () => open({ kind: 'totals' }) },
          { label: 'Upload question results', icon: resultsIcon, act: () => open({ kind: 'results' }) },
        ]
      : []),
  ];
};

const roleNames = { admin: 'Admin', leader: 'Leader', teacher: 'Teacher', student: 'Student', auditor: 'Auditor' } as const;

const Person = ({ area }: { readonly area: Area }) => {
  const { me, logOut } = useSession();
  const mayLead = me.role !== 'teacher';
  return (
    <PersonMenu
      name={me.name}
      email={me.email}
      role={mayLead && area === '/teacher' ? `${roleNames[me.role]}, viewing as Teacher` : roleNames[me.role]}
      areas={
        mayLead
          ? [
              { label: 'Leader', to: '/leader', current: area === '/leader' },
              { label: 'Teacher', to: '/teacher', current: area === '/teacher' },
            ]
          : []
      }
      onLogOut={logOut}
    />
  );
};
