import { Dialog } from '../../ui/controls/Dialog.tsx';
import { SessionList } from '../../ui/session/SessionList.tsx';

type SessionsDialogProps = { readonly accountId: string; readonly name: string; readonly onClose: () => void };

export const SessionsDialog = ({ accountId, name, onClose }: SessionsDialogProps) => (
  <Dialog title={`Where ${name} is logged in`} open onClose={onClose}>
    <div className="pad">
      <SessionList accountId={accountId} />
    </div>
  </Dialog>
);
