import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';

export const HomePage = () => {
  const { me } = useSession();
  return <Page title={me.school.name}>{null}</Page>;
};
