import { useMemo } from 'react';
import type { AuthProvider } from 'react-admin';
import { useSession } from '../../ui/session/Session.tsx';

/** What react-admin wants to know of the session. Whether there is one, the guard above has found out; one that ends is seen by the client. */
export const useAuthProvider = (): AuthProvider => {
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
