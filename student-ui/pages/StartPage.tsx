import { useEffect, useState } from 'react';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { homeOf } from '../../ui/roles.ts';
import { whoAmI } from '../accounts/form/ask.ts';
import { Splash } from '../splash/Splash.tsx';

/** `/`: sends signed-in users to their section and introduces Marktrail to everybody else, at once where the server saw no session. */
export const StartPage = ({ welcome }: { readonly welcome: boolean }) => {
  const [nobody, setNobody] = useState(welcome);
  useEffect(() => {
    // If the session cannot be checked, the log-in page says what is wrong.
    whoAmI().then(
      (role) => (role ? location.replace(homeOf(role)) : setNobody(true)),
      () => setNobody(true),
    );
  }, []);
  return nobody ? <Splash /> : <Skeleton label="Loading Marktrail" />;
};
