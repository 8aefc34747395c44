/** A process with open pages. */
import { openPage, type Page, type Traffic } from './page.ts';
import type { PagesAnswer, PagesJob } from './pages-job.ts';

const traffic: Traffic = { bytes: 0, asked: 0 };
const pages: Page[] = [];

process.on('message', (job: PagesJob) => {
  run(job).then(
    (answer) => process.send!(answer),
    (error: unknown) => process.send!({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));

const run = async (job: PagesJob): Promise<PagesAnswer> => {
  if ('open' in job) {
    const { url, paths, cookies } = job;
    for (let number = 0; number < job.open; number++) {
      const path = paths[Math.floor(number / cookies.length) % paths.length]!;
      pages.push(openPage({ url, path }, cookies[number % cookies.length]!, traffic));
    }
    await Promise.all(pages.map(({ opened }) => opened));
  } else if ('until' in job) {
    await Promise.all(pages.map((page) => page.until(BigInt(job.until))));
  } else for (const page of pages.splice(0)) page.leave();
  const answer: PagesAnswer = { at: pages.map((page) => page.at()), ...traffic };
  Object.assign(traffic, { bytes: 0, asked: 0 });
  return answer;
};
