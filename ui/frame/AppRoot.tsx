import type { ReactNode } from 'react';
import { ApiProvider } from '../api/ApiProvider.tsx';
import type { Connection } from '../api/connection.ts';
import { OopsProvider } from '../feedback/Oops.tsx';
import { ToastProvider } from '../feedback/Toasts.tsx';
import { WorkProvider } from '../feedback/Work.tsx';
import type { Places } from './places.tsx';
import { PlacesProvider } from './places.tsx';

type AppRootProps = { readonly places: Places; readonly connection?: Connection; readonly children: ReactNode };

/** What every app for people who are signed in stands on. */
export const AppRoot = (props: AppRootProps) => (
  <OopsProvider>
    <Connected {...props} />
  </OopsProvider>
);

/** The same below a banner of errors that is there already: the server, notices, long work, and the ways to the app's pages. */
export const Connected = ({ places, connection, children }: AppRootProps) => (
  <ApiProvider {...(connection ? { connection } : {})}>
    <ToastProvider>
      <WorkProvider>
        <PlacesProvider places={places}>{children}</PlacesProvider>
      </WorkProvider>
    </ToastProvider>
  </ApiProvider>
);
