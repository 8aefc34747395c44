import { authMessages } from '#api/contract/auth-messages';
import { Notice } from '../../../ui/feedback/Notice.tsx';

/** Why somebody is at the log-in who did not choose to go there. */
export const SentHere = ({ why }: { readonly why: 'finalised' | 'forgotten' | 'loggedOut' | 'next' }) =>
  why === 'loggedOut' || why === 'next' ? <Notice title={authMessages[why]} /> : <Notice tone="good" title={authMessages[why]} />;
