import type { ReactNode } from 'react';
import { ApiProvider } from '../api/ApiProvider.tsx';
import type { Connection } from '../api/connection.ts';
import { AskDialog } from '../feedback/Ask.tsx';
import { OopsProvider } from '../feedback/Oops.tsx';
import { ToastProvider } from '../feedback/Toasts.tsx';
import { WorkProvider } from '../sending/Work.tsx';
import type { Navigation } from './navigation.tsx';
import { NavigationProvider } from './navigation.tsx';

type AppRootProps = { readonly navigation: Navigation; readonly connection?: Connection; readonly children: ReactNode };

/** The providers that every signed-in app needs. */
export const AppRoot = (props: AppRootProps) => (
  <OopsProvider>
    <Connected {...props} />
  </OopsProvider>
);

/** `AppRoot` without the error banner, for apps that already show one. */
export const Connected = ({ navigation, connection, children }: AppRootProps) => (
  <ApiProvider {...(connection ? { connection } : {})}>
    <ToastProvider>
      <WorkProvider>
        <NavigationProvider navigation={navigation}>{children}</NavigationProvider>
        <AskDialog />
      </WorkProvider>
    </ToastProvider>
  </ApiProvider>
);
