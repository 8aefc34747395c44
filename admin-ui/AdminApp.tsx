import { QueryClient, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { Admin, CustomRoutes, Resource } from 'react-admin';
import { Route, useHref } from 'react-router';
import { useApi } from '../ui/api/ApiProvider.tsx';
import type { PathOf } from '../ui/pages.ts';
import { isWithin } from '../ui/pages.ts';
import { lazily } from '../ui/lazily.ts';
import { useSession } from '../ui/session/Session.tsx';
import { createDataProvider } from './data/data-provider.ts';
import { createStore } from './data/store.ts';
import { AdminFrame } from './AdminFrame.tsx';
import { NotFoundPage } from './frame/NotFoundPage.tsx';
import { HomePage } from './home/HomePage.tsx';
import { useAppTheme } from './frame/theme.ts';
import { useMoment } from './moment.ts';
import type { AuthProvider } from 'react-admin';

const AssessmentsPage = lazily(() => import('./assessments/AssessmentsPage.tsx'), 'AssessmentsPage');
const ClassesPage = lazily(() => import('./school/sets/ClassesPage.tsx'), 'ClassesPage');
const ExportPage = lazily(() => import('./marks/ExportPage.tsx'), 'ExportPage');
const HistoryPage = lazily(() => import('./history/HistoryPage.tsx'), 'HistoryPage');
const ImportPage = lazily(() => import('./students/import/ImportPage.tsx'), 'ImportPage');
const MappingsPage = lazily(() => import('./assessments/mapping/MappingsPage.tsx'), 'MappingsPage');
const ReadModelsPage = lazily(() => import('./history/ReadModelsPage.tsx'), 'ReadModelsPage');
const SchemesPage = lazily(() => import('./school/schemes/SchemesPage.tsx'), 'SchemesPage');
const SchoolYearPage = lazily(() => import('./school/school-year/SchoolYearPage.tsx'), 'SchoolYearPage');
const StaffPage = lazily(() => import('./accounts/StaffPage.tsx'), 'StaffPage');
const StatusPage = lazily(() => import('../ui/status/StatusPage.tsx'), 'StatusPage');
const StudentUsersPage = lazily(() => import('./accounts/StudentUsersPage.tsx'), 'StudentUsersPage');
const StudentsPage = lazily(() => import('./students/StudentsPage.tsx'), 'StudentsPage');
const SubjectsPage = lazily(() => import('./school/subjects/SubjectsPage.tsx'), 'SubjectsPage');
const TeachersPage = lazily(() => import('./school/teachers/TeachersPage.tsx'), 'TeachersPage');
const TerminalExamsPage = lazily(() => import('./school/exams/TerminalExamsPage.tsx'), 'TerminalExamsPage');

/** The pages, without that of `/admin` itself. */
const pages: Readonly<Record<Exclude<PathOf<'admin-ui'>, '/admin' | '/history'>, ReactNode>> = {
  '/admin/subjects': <SubjectsPage />,
  '/admin/sow': <SchemesPage />,
  '/admin/assessments': <AssessmentsPage />,
  '/admin/classes': <ClassesPage />,
  '/admin/mappings': <MappingsPage />,
  '/admin/terminal': <TerminalExamsPage />,
  '/admin/teachers': <TeachersPage />,
  '/admin/school_year': <SchoolYearPage />,
  '/admin/add_students': <StudentsPage />,
  '/admin/upload_students': <ImportPage />,
  '/admin/export': <ExportPage />,
  '/admin/users': <StaffPage />,
  '/admin/users_students': <StudentUsersPage />,
  '/admin/status': <StatusPage />,
  '/history/read-models': <ReadModelsPage />,
};
/** The screens of an area: the router's paths start below it. */
const screensOf = (home: string) =>
  Object.entries(pages).flatMap(([path, page]) =>
    isWithin(path, home) ? [<Route key={path} path={path.slice(home.length)} element={page} />] : [],
  );

/**
 * react-admin in our own frame. Each screen has its own address; resources are what lists and forms work on.
 */
export const AdminApp = () => {
  const api = useApi();
  const { asOf } = useMoment();
  const dataProvider = useMemo(() => createDataProvider(api, asOf), [api, asOf]);
  const { accountId } = useSession().me;
  const home = useHref('/').replace(/\/$/, '');
  const [store] = useState(() => createStore(accountId));
  return (
    <Admin
      authProvider={useAuthProvider()}
      catchAll={NotFoundPage}
      dashboard={useHref('/').startsWith('/history') ? HistoryPage : HomePage}
      darkTheme={null}
      dataProvider={dataProvider}
      disableTelemetry
      layout={AdminFrame}
      loginPage={false}
      queryClient={useClientOf(asOf)}
      requireAuth
      store={store}
      theme={useAppTheme()}
      title="Marktrail"
    >
      <Resource name="subjects" recordRepresentation="name" />
      <Resource name="schemes" recordRepresentation="name" />
      <Resource name="assessments" recordRepresentation="name" />
      <Resource name="yearGroups" recordRepresentation="year" />
      <Resource name="sets" recordRepresentation="name" />
      <Resource name="terminalExams" recordRepresentation="name" />
      <Resource name="teachers" recordRepresentation="name" />
      <Resource name="students" recordRepresentation="name" />
      <Resource name="staffUsers" recordRepresentation="name" />
      <Resource name="studentUsers" recordRepresentation="name" />
      <Resource name="deleted" recordRepresentation="name" />
      <CustomRoutes>{screensOf(home)}</CustomRoutes>
    </Admin>
  );
};

/** Of an earlier moment react-admin keeps its answers apart: its lists have no moment in their keys. */
const useClientOf = (asOf: string | undefined): QueryClient => {
  const ofNow = useQueryClient();
  return useMemo(() => (asOf === undefined ? ofNow : new QueryClient({ defaultOptions: ofNow.getDefaultOptions() })), [asOf, ofNow]);
};

/** react-admin's view of the session. `SignedIn` has already checked it, and the client notices when it ends. */
const useAuthProvider = (): AuthProvider => {
  const { me, logOut } = useSession();
  return useMemo(
    () => ({
      login: async () => {},
      logout: async () => logOut(),
      checkAuth: async () => {},
      checkError: async () => {},
      getIdentity: async () => ({ id: me.accountId, fullName: me.name }),
    }),
    [me, logOut],
  );
};
