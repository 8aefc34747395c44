import { useQueryClient } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { Admin, CustomRoutes, memoryStore, Resource } from 'react-admin';
import { Route } from 'react-router';
import { useApi } from '../ui/api/ApiProvider.tsx';
import { createDataProvider } from './data/data-provider.ts';
import { AdminFrame } from './frame/AdminFrame.tsx';
import { NotFoundPage } from './frame/NotFoundPage.tsx';
import { HomePage } from './home/HomePage.tsx';
import { useAuthProvider } from './session/auth-provider.ts';
import { useAppTheme } from './theme/theme.ts';

const AssessmentsPage = lazy(() => import('./assessments/AssessmentsPage.tsx').then(({ AssessmentsPage: page }) => ({ default: page })));
const ClassesPage = lazy(() => import('./classes/ClassesPage.tsx').then(({ ClassesPage: page }) => ({ default: page })));
const ExportPage = lazy(() => import('./export/ExportPage.tsx').then(({ ExportPage: page }) => ({ default: page })));
const ImportPage = lazy(() => import('./import/ImportPage.tsx').then(({ ImportPage: page }) => ({ default: page })));
const MappingsPage = lazy(() => import('./mappings/MappingsPage.tsx').then(({ MappingsPage: page }) => ({ default: page })));
const SchemesPage = lazy(() => import('./sow/SchemesPage.tsx').then(({ SchemesPage: page }) => ({ default: page })));
const StaffPage = lazy(() => import('./users/StaffPage.tsx').then(({ StaffPage: page }) => ({ default: page })));
const StatusPage = lazy(() => import('../ui/status/StatusPage.tsx').then(({ StatusPage: page }) => ({ default: page })));
const StudentUsersPage = lazy(() => import('./users/StudentUsersPage.tsx').then(({ StudentUsersPage: page }) => ({ default: page })));
const StudentsPage = lazy(() => import('./students/StudentsPage.tsx').then(({ StudentsPage: page }) => ({ default: page })));
const SubjectsPage = lazy(() => import('./subjects/SubjectsPage.tsx').then(({ SubjectsPage: page }) => ({ default: page })));
const TeachersPage = lazy(() => import('./teachers/TeachersPage.tsx').then(({ TeachersPage: page }) => ({ default: page })));
const TerminalExamsPage = lazy(() => import('./terminal/TerminalExamsPage.tsx').then(({ TerminalExamsPage: page }) => ({ default: page })));

/** react-admin with our own frame. Each screen of the specification has its own address; resources are what lists and forms work on. Both in the order of the menu. */
export const AdminApp = () => {
  const api = useApi();
  const queryClient = useQueryClient();
  const [dataProvider] = useState(() => createDataProvider(api));
  const [store] = useState(memoryStore);
  return (
    <Admin
      authProvider={useAuthProvider()}
      catchAll={NotFoundPage}
      dashboard={HomePage}
      darkTheme={null}
      dataProvider={dataProvider}
      disableTelemetry
      layout={AdminFrame}
      loginPage={false}
      queryClient={queryClient}
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
      <CustomRoutes>
        <Route path="/subjects" element={<SubjectsPage />} />
        <Route path="/sow" element={<SchemesPage />} />
        <Route path="/assessments" element={<AssessmentsPage />} />
        <Route path="/classes" element={<ClassesPage />} />
        <Route path="/mappings" element={<MappingsPage />} />
        <Route path="/terminal" element={<TerminalExamsPage />} />
        <Route path="/teachers" element={<TeachersPage />} />
        <Route path="/add_students" element={<StudentsPage />} />
        <Route path="/upload_students" element={<ImportPage />} />
        <Route path="/export" element={<ExportPage />} />
        <Route path="/users" element={<StaffPage />} />
        <Route path="/users_students" element={<StudentUsersPage />} />
        <Route path="/status" element={<StatusPage />} />
      </CustomRoutes>
    </Admin>
  );
};
