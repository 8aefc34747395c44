import { lazy, Suspense, useEffect, useState } from 'react';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { homeOf } from '../../ui/session/roles.ts';
import { whoAmI } from '../form/ask.ts';

/** `/`: who is signed in goes to his area; everybody else sees what Marktrail is. */
export const StartPage = () => {
  const [nobody, setNobody] = useState(false);
  useEffect(() => {
    // On a slow line the page comes while the server is asked. What fails here fails again, and is told, where it is shown.
    loadSplash().catch(() => undefined);
    // Where the server cannot say who this is, the log-in page tells what is wrong.
    whoAmI().then(
      (me) => (me ? location.replace(homeOf(me.role)) : setNobody(true)),
      () => setNobody(true),
    );
  }, []);
  return nobody ? (
    <Suspense fallback={<Skeleton label="Loading Marktrail" />}>
      <Splash />
    </Suspense>
  ) : (
    <Skeleton label="Loading Marktrail" />
  );
};

const loadSplash = () => import('../splash/Splash.tsx');
const Splash = lazy(() => loadSplash().then(({ Splash: page }) => ({ default: page })));
