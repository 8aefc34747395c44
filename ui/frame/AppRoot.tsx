import type { ReactNode } from 'react';
import { ApiProvider } from '../api/ApiProvider.tsx';
import type { Connection } from '../api/connection.ts';
import { OopsProvider } from '../feedback/Oops.tsx';
import { ToastProvider } from '../feedback/Toasts.tsx';
import { WorkProvider } from '../feedback/Work.tsx';
import type { Places } from './places.tsx';
import { PlacesProvider } from './places.tsx';

type AppRootProps = { readonly places: Places; readonly connection?: Connection; readonly children: ReactNode };

/** The providers that every signed-in app needs. */
export const AppRoot = (props: AppRootProps) => (
  <OopsProvider>
    <Connected {...props} />
  </OopsProvider>
);

/** `AppRoot` without the error banner, for apps that already show one. */
export const Connected = ({ places, connection, children }: AppRootProps) => (
  <ApiProvider {...(connection ? { connection } : {})}>
    <ToastProvider>
      <WorkProvider>
        <PlacesProvider places={places}>{children}</PlacesProvider>
      </WorkProvider>
    </ToastProvider>
  </ApiProvider>
);
