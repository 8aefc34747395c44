import { useEffect, useState } from 'react';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { homeOf } from '../../ui/session/roles.ts';
import { whoAmI } from '../form/ask.ts';
import { Splash } from '../splash/Splash.tsx';

/** `/`: who is signed in goes to his area; everybody else sees what Marktrail is, at once where the server knew it already. */
export const StartPage = ({ welcome }: { readonly welcome: boolean }) => {
  const [nobody, setNobody] = useState(welcome);
  useEffect(() => {
    // Where the server cannot say who this is, the log-in page tells what is wrong.
    whoAmI().then(
      (me) => (me ? location.replace(homeOf(me.role)) : setNobody(true)),
      () => setNobody(true),
    );
  }, []);
  return nobody ? <Splash /> : <Skeleton label="Loading Marktrail" />;
};
