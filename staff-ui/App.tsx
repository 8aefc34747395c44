import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { AppRoot } from '../ui/frame/AppRoot.tsx';
import { lazily, lazilyAhead } from '../ui/lazily.ts';
import type { PathOf } from '../ui/pages.ts';
import { pageAt } from '../ui/pages.ts';
import { SignedIn } from '../ui/session/SignedIn.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { useGuardedLocation } from './shell/guarded-location.ts';
import { StaffShell } from './StaffShell.tsx';

const home = () => import('./home/HomePage.tsx');
const markbook = () => import('./marks/markbook/MarkbookPage.tsx');
const marks = () => import('./marks/sheet/MarksPage.tsx');
const predictors = () => import('./analysis/predictors/PredictorsPage.tsx');
const questions = () => import('./analysis/questions/QuestionAnalysisPage.tsx');
const history = () => import('./history/HistoryPage.tsx');
const prior = () => import('./prior/PriorPage.tsx');
const replay = () => import('./marks/replay/ReplayPage.tsx');
const HomePage = lazilyAhead(home, 'HomePage');
const MarkbookPage = lazilyAhead(markbook, 'MarkbookPage');
const MarksPage = lazilyAhead(marks, 'MarksPage');
const PredictorsPage = lazilyAhead(predictors, 'PredictorsPage');
const QuestionAnalysisPage = lazilyAhead(questions, 'QuestionAnalysisPage');
const HistoryPage = lazilyAhead(history, 'HistoryPage');
const PriorPage = lazilyAhead(prior, 'PriorPage');
const ReplayPage = lazily(replay, 'ReplayPage');
const ScoreDialog = lazilyAhead(() => import('./tasks/ranking/ScoreDialog.tsx'), 'ScoreDialog');

/** What a page shows, and where its code is. */
const pages: Readonly<Record<PathOf<'staff-ui'>, { readonly page: ReactNode; readonly load: () => Promise<unknown> }>> = {
  '/teacher': { page: <HomePage />, load: home },
  '/teacher/markbook': { page: <MarkbookPage Explanation={ScoreDialog} />, load: markbook },
  '/teacher/predictors': { page: <PredictorsPage />, load: predictors },
  '/teacher/questions': { page: <QuestionAnalysisPage />, load: questions },
  '/teacher/markbook/replay': { page: <ReplayPage />, load: replay },
  '/teacher/marks': { page: <MarksPage />, load: marks },
  '/teacher/history': { page: <HistoryPage />, load: history },
  '/leader': { page: <HomePage />, load: home },
  '/leader/markbook': { page: <MarkbookPage Explanation={ScoreDialog} />, load: markbook },
  '/leader/predictors': { page: <PredictorsPage />, load: predictors },
  '/leader/questions': { page: <QuestionAnalysisPage />, load: questions },
  '/leader/markbook/replay': { page: <ReplayPage />, load: replay },
  '/leader/marks': { page: <MarksPage />, load: marks },
  '/leader/history': { page: <HistoryPage />, load: history },
  '/leader/prior': { page: <PriorPage />, load: prior },
};

// Beside the question who is signed in, not after it. Where it fails, the page says so.
for (const [at, { load }] of Object.entries(pages)) if (at === location.pathname) load().catch(() => undefined);

export const App = () => (
  // oxlint-disable-next-line react/hooks -- the router calls it, in each component that asks where it is
  <Router hook={useGuardedLocation}>
    <Pages />
  </Router>
);

const Pages = () => {
  const [path, go] = useLocation();
  const navigation = useMemo(() => ({ path, go, isHere }), [path, go]);
  return (
    <AppRoot navigation={navigation}>
      <SignedIn path={path}>
        <StaffShell>
          <Switch>
            {/* One key, because one shows at a time: the same page in another section keeps what it holds. */}
            {Object.entries(pages).map(([at, { page }]) => (
              <Route key="page" path={at}>
                {page}
              </Route>
            ))}
            <Route component={NotFoundPage} />
          </Switch>
        </StaffShell>
      </SignedIn>
    </AppRoot>
  );
};

const isHere = (path: string): boolean => pageAt(path).app === 'staff-ui';
