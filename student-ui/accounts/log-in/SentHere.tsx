import { authMessages } from '#api/contract/auth-messages';
import { Notice } from '../../../ui/feedback/Notice.tsx';

/** What has just been done, of somebody whom another page has sent to the log-in. */
export const SentHere = ({ from }: { readonly from: 'finalised' | 'forgotten' }) => <Notice tone="good" title={authMessages[from]} />;
