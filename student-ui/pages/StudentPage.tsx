import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { sentence } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { homeOf } from '../../ui/session/roles.ts';
import type { Me } from '#contract/structure';
import { signOut, whoAmI } from '../form/ask.ts';
import { Below, Sheet } from '../sheet/Sheet.tsx';

/** Where students arrive. Staff are bounced to their own area. */
export const StudentPage = () => {
  const [me, setMe] = useState<Me>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    whoAmI().then(
      (known) => {
        if (known?.role === 'student') setMe(known);
        else location.replace(known ? homeOf(known.role) : '/login?next=/student');
      },
      (error: unknown) => setFailure(sentence(error)),
    );
  }, []);
  if (!me && !failure) return <Skeleton label="Loading Marktrail" />;
  return (
    <Sheet title={me ? `Hello ${me.name}` : 'Marktrail'} lead={me?.school.name}>
      {failure && <Notice tone="bad" title={failure} />}
      {me && <p>You have joined. Your results will stand here; this part of Marktrail is not open yet.</p>}
      <Below>
        <Link to="/profile">Profile</Link>
        <Button
          onClick={() => {
            signOut().then(
              () => location.replace('/login'),
              (error: unknown) => setFailure(sentence(error)),
            );
          }}
        >
          Log out
        </Button>
      </Below>
    </Sheet>
  );
};
