import type { ReactNode } from 'react';
import { Suspense, useMemo } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Connected } from '../../ui/frame/AppRoot.tsx';
import { Frame } from '../../ui/frame/Frame.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { AppLink, useGo } from '../../ui/frame/navigation.tsx';
import { lazily } from '../../ui/lazily.ts';
import type { PathOf } from '../../ui/pages.ts';
import { pageAt } from '../../ui/pages.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { SignedIn } from '../../ui/session/SignedIn.tsx';
import { connection } from '../accounts/form/ask.ts';
import { NotStoredYet } from '../marks/NotStoredYet.tsx';
import { OwnMarksProvider } from '../marks/OwnMarksProvider.tsx';
import { StudentHomePage } from './StudentHomePage.tsx';
import styles from '../marks/Choices.module.css';

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

/** For students with several subjects: chooses the one that their pages show. */
const SubjectPage = () => {
  const { me, subject, chooseSubject } = useSession();
  const go = useGo();
  if (me.role !== 'student' || me.subjects.length < 2) return <Redirect to="/student" replace />;
  return (
    <Page title="Change Subject" sub="Your pages are about one subject at a time.">
      <ul className={`stack ${styles.choices}`}>
        {me.subjects.map(({ subjectId, name, set }) => (
          <li key={subjectId}>
            <button
              type="button"
              className={`line apart large ${styles.choice}`}
              aria-pressed={subjectId === subject?.subjectId}
              onClick={() => {
                chooseSubject(subjectId);
                go('/student');
              }}
            >
              {name} <small className="muted">{set}</small>
            </button>
          </li>
        ))}
      </ul>
    </Page>
  );
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

const NoSuchPage = () => (
  <Page title="There is no such page">
    <EmptyState
      title="Nothing is here"
      action={
        <AppLink to="/student" className={buttonClass('primary')}>
          Go home
        </AppLink>
      }
    >
      The address may be mistyped, or the page is not part of this version.
    </EmptyState>
  </Page>
);
