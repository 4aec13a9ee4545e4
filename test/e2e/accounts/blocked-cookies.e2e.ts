/** @module-tag slow */
import { expect, inject, test } from 'vitest';
import { newPerson } from '../../support/accounts.ts';
import { enginePage } from '../../support/browser/engine-page.ts';
import { openFirefox } from '../../support/browser/engines.ts';

const needsCookies = 'Your browser blocks cookies from this site. Logging in needs them.';

test('a browser that blocks all cookies shows pages without an error, and says why nobody can log in', async (run) => {
  const { firefox } = inject('otherBrowsers');
  if (firefox === undefined) return run.skip('It is not installed here.');
  const engine = await openFirefox(firefox, undefined, { 'network.cookie.cookieBehavior': 2 });
  try {
    const tab = await engine.newTab();
    const page = enginePage(tab, inject('siteUrl'));
    const { email, username, password } = newPerson();
    await page.goTo('/categories');
    expect(await page.read('navigator.cookieEnabled')).toBe(false);
    await page.press('header a', 'Log in');
    await page.fill(['.modal input', 'Email'], email);
    await page.fill(['.modal input', 'Password'], password);
    await page.press('.modal button', 'Log in');
    await page.see('.modal [role=alert]', needsCookies);
    await page.press('.modal button', 'Create account');
    await page.fill(['.modal input', 'Username'], username);
    await page.see('.modal *', 'Available');
    await page.fill(['.modal input', 'Password'], password);
    for (const box of [1, 2]) {
      await page.press('.modal .check-box:has(input:not(:checked)) i');
      const checked = `document.querySelectorAll('.modal input[type=checkbox]:checked').length`;
      await expect.poll(() => page.read(checked)).toBe(box);
    }
    await page.press('.modal button[type=submit]');
    await page.see('.modal [role=alert]', needsCookies);
    for (const path of [
      '/creators',
      '/audios',
      '/audio/how-do-i-love-thee',
      '/categories/longing',
      '/blog/why-a-low-voice',
      '/playlists/sonnets-after-midnight',
      '/search?query=rain',
      '/library',
      '/gift-cards',
      '/account/profile',
      '/terms',
    ]) {
      await page.goTo(path);
      expect([path, tab.errors]).toEqual([path, []]);
    }
  } finally {
    await engine.close();
  }
});
