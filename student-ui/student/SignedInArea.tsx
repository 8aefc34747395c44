import { useMemo } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Connected } from '../../ui/frame/AppRoot.tsx';
import { Frame } from '../../ui/frame/Frame.tsx';
import { sectionOf } from '../../ui/session/roles.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { SignedIn } from '../../ui/session/SignedIn.tsx';
import { connection } from '../form/ask.ts';
import { ProfilePage } from '../profile/ProfilePage.tsx';
import { NoSuchPage } from './NoSuchPage.tsx';
import { SelectPage } from './SelectPage.tsx';
import { StudentHomePage } from './StudentHomePage.tsx';
import { SubjectPage } from './SubjectPage.tsx';

/** The pages of this app behind the log-in: the profile, for every role, and the student's section. */
export const SignedInArea = () => {
  const [path, go] = useLocation();
  const places = useMemo(() => ({ path, go, isHere }), [path, go]);
  return (
    <Connected places={places} connection={connection}>
      <SignedIn section={sectionOf(path)}>
        <Frame>
          <Switch>
            <Route path="/profile" component={ProfilePage} />
            <Route path="/student/select" component={SelectPage} />
            <Route component={StudentPages} />
          </Switch>
        </Frame>
      </SignedIn>
    </Connected>
  );
};

const isHere = (path: string): boolean => path === '/profile' || sectionOf(path) === 'student';

/** Staff must choose a student first. */
const StudentPages = () => {
  const { me, viewed } = useSession();
  if (me.role !== 'student' && !viewed) return <Redirect to="/student/select" replace />;
  return (
    <Switch>
      <Route path="/student" component={StudentHomePage} />
      <Route path="/student/subject" component={SubjectPage} />
      <Route component={NoSuchPage} />
    </Switch>
  );
};
