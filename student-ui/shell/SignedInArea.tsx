import type { ReactNode } from 'react';
import { Suspense, useMemo } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Connected } from '../../ui/frame/AppRoot.tsx';
import { Frame } from '../../ui/frame/Frame.tsx';
import { lazily } from '../../ui/lazily.ts';
import type { PathOf } from '../../ui/pages.ts';
import { pageAt } from '../../ui/pages.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { SignedIn } from '../../ui/session/SignedIn.tsx';
import { connection } from '../accounts/form/ask.ts';
import { NotStoredYet } from '../marks/NotStoredYet.tsx';
import { OwnMarksProvider } from '../marks/OwnMarksProvider.tsx';
import { NoSuchPage } from './NoSuchPage.tsx';
import { StudentHomePage } from './StudentHomePage.tsx';
import { SubjectPage } from './SubjectPage.tsx';

const loadSubmit = () => import('../marks/SubmitPage.tsx');
const SubmitPage = lazily(loadSubmit, 'SubmitPage');
const ProfilePage = lazily(() => import('../accounts/profile/ProfilePage.tsx'), 'ProfilePage');
const MyDataPage = lazily(() => import('../accounts/my-data/MyDataPage.tsx'), 'MyDataPage');
const SelectPage = lazily(() => import('./SelectPage.tsx'), 'SelectPage');

/** Staff must choose a student first. */
const OfStudent = ({ children }: { readonly children: ReactNode }) => {
  const { me, viewed } = useSession();
  return me.role !== 'student' && !viewed ? <Redirect to="/student/select" replace /> : children;
};

const pages: Readonly<Record<PathOf<'student-ui', 'account' | 'student'>, ReactNode>> = {
  '/profile': <ProfilePage />,
  '/student/select': <SelectPage />,
  '/student': (
    <OfStudent>
      <StudentHomePage offline={loadSubmit} />
    </OfStudent>
  ),
  '/student/submit': (
    <OfStudent>
      <SubmitPage />
    </OfStudent>
  ),
  '/student/my-data': (
    <OfStudent>
      <MyDataPage />
    </OfStudent>
  ),
  '/student/subject': (
    <OfStudent>
      <SubjectPage />
    </OfStudent>
  ),
};

/** The pages of this app behind the log-in: the profile, for every role, and the student's section. */
export const SignedInArea = () => {
  const [path, go] = useLocation();
  const navigation = useMemo(() => ({ path, go, isHere }), [path, go]);
  return (
    <Connected navigation={navigation} connection={connection}>
      <SignedIn path={path}>
        <OwnMarksProvider>
          <Frame notices={<NotStoredYet />}>
            <Suspense fallback={<Skeleton rows={4} label="Loading the page" />}>
              <Switch>
                {Object.entries(pages).map(([at, page]) => (
                  <Route key="page" path={at}>
                    {page}
                  </Route>
                ))}
                <Route>
                  <OfStudent>
                    <NoSuchPage />
                  </OfStudent>
                </Route>
              </Switch>
            </Suspense>
          </Frame>
        </OwnMarksProvider>
      </SignedIn>
    </Connected>
  );
};

const isHere = (path: string): boolean => {
  const { app, who } = pageAt(path);
  return app === 'student-ui' && who !== 'everybody';
};
