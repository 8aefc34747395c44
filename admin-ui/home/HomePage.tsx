import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { Help } from './Help.tsx';
import { LeadersSwitch } from './LeadersSwitch.tsx';
import { ReportWords } from './ReportWords.tsx';
import { ResultsSwitch } from './ResultsSwitch.tsx';
import { SchoolName } from './SchoolName.tsx';

export const HomePage = () => (
  <Page title={useSession().me.school.name} sub="Administration: with full privileges, so take care.">
    <FirstSteps />
    <SchoolName />
    <LeadersSwitch />
    <ResultsSwitch />
    <ReportWords />
    <Help />
  </Page>
);
