import { useMemo } from 'react';
import type { AuthProvider } from 'react-admin';
import { useSession } from '../ui/session/Session.tsx';

/** react-admin's view of the session. `SignedIn` has already checked it, and the client notices when it ends. */
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
