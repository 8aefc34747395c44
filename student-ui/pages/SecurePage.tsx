import { useEffect, useState } from 'react';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { homeOf } from '../../ui/roles.ts';
import { whoAmI } from '../accounts/form/ask.ts';

/** Home behind the guard: sends signed-in users to their section and everybody else to the log-in. */
export const SecurePage = () => {
  const [error, setError] = useState<unknown>();
  const go = () => {
    whoAmI().then((role) => location.replace(role ? homeOf(role) : '/login?next=/secure'), setError);
  };
  useEffect(go, []);
  return error ? (
    <main>
      <Failure error={error} retry={go} />
    </main>
  ) : (
    <Skeleton label="Loading Marktrail" />
  );
};
