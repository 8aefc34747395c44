/** Browser windows of signed-in people. */
import type { Browser, Page } from 'playwright-core';

/** An empty page in a profile of its own. `cookie`: of a session, as a header. */
export const signedInPage = async (browser: Browser, url: string, cookie: string): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const cookies = cookie.split('; ').map((one) => {
    const at = one.indexOf('=');
    return { name: one.slice(0, at), value: one.slice(at + 1), url };
  });
  await context.addCookies([...cookies, { name: 'marktrail_consent', value: 'declined', url }]);
  return context.newPage();
};
