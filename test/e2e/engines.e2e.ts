/** @module-tag slow */
import { expect, onTestFinished } from 'vitest';
import { newPerson } from '../support/accounts.ts';
import { inEveryEngine, signIn } from '../support/browser/engine-walks.ts';

inEveryEngine(({ walk, zone }) => {
  walk('signs up, subscribes with a card of the sandbox, and the account says until when', async (page) => {
    const { username, email, password } = newPerson();
    await page.goTo('/');
    await page.press('main a', 'Start free trial');
    await page.press('.modal button', 'Continue');
    await page.fill(['.modal input', 'Email'], email);
    await page.fill(['.modal input', 'Username'], username);
    await page.see('.modal *', 'Available');
    await page.fill(['.modal input', 'Password'], password);
    for (const box of [1, 2]) {
      await page.press('.modal .check-box:has(input:not(:checked)) i');
      const checked = `document.querySelectorAll('.modal input[type=checkbox]:checked').length`;
      await expect.poll(() => page.read(checked)).toBe(box);
    }
    await page.press('.modal button[type=submit]');
    await page.fill(['.modal input', 'Credit or debit card number'], '4242424242424242');
    await page.fill(['.modal input', 'Credit or debit card expiration date'], '1240');
    await page.fill(['.modal input', 'Credit or debit card CVC/CVV'], '123');
    await page.press('.modal button', 'Subscribe');
    // A card has one trial, and another walk may have paid with this one.
    const noTrial = ['.modal button', 'Subscribe without a trial'] as const;
    const isAnswered = async () => (await page.isShown('.modal h2', 'Welcome')) || (await page.isShown(...noTrial));
    await expect.poll(isAnswered).toBe(true);
    if (await page.isShown(...noTrial)) await page.press(...noTrial);
    await page.see('.modal h2', `Welcome, ${username}`);
    await page.goTo('/account/subscription');
    await page.see('#subscription *', 'Visa ending 4242, 12/40');
  });

  walk('edits an audio in the Studio and schedules it for a time of the creator’s own zone', async (page) => {
    await signIn(page, 'creator@sotto.example', 'creator');
    await page.goTo('/studio/maren-holt/audios?state=draft');
    const path = await page.read<string>(`document.querySelector('main td a[href*="/audios/"]').pathname`);
    const id = path.split('/').at(-1) ?? '';
    onTestFinished(() => page.call('PUT', `/studio/audios/${id}/publication`, { state: 'unpublished' }));
    await page.goTo(path);
    const title = `Low tide ${zone}`;
    await page.fill(['main input', 'Title'], title);
    await page.see('[aria-label="Changes"] *', 'Saved at');
    await page.press('main label.option', 'Schedule');
    const [day, clock] = ['2036-01-02', '22:00'];
    await page.choose(['main input', 'Day'], day);
    await page.choose(['main input', 'Time'], clock);
    await page.press('main button', 'Schedule');
    await page.see('.toast', 'Scheduled');
    await page.goTo(path);
    expect([await page.value('main input', 'Day'), await page.value('main input', 'Time')]).toEqual([day, clock]);
    expect(await page.value('main input', 'Title')).toBe(title);
  });

  walk('writes an article in Admin, schedules it for a time of the operator’s own zone, and finds it', async (page) => {
    await signIn(page, 'admin@sotto.example', 'adminadmin');
    const title = `On rain ${crypto.randomUUID()}`;
    await page.goTo('/admin/articles');
    await page.press('main button', 'New article');
    await page.fill(['[role=dialog] input', 'Title'], title);
    await page.press('[role=dialog] button', 'Create article');
    await page.see('h1', title);
    await page.fill(['main textarea', 'Text'], 'It rains.');
    const [day, clock] = ['2036-01-02', '22:00'];
    await page.press('main label.option', 'Schedule');
    await page.choose(['main input', 'Day'], day);
    await page.choose(['main input', 'Time'], clock);
    await page.press('main button', 'Schedule');
    await page.see('.toast', 'Scheduled');
    await page.goTo(await page.read('location.pathname'));
    expect([await page.value('main input', 'Day'), await page.value('main input', 'Time')]).toEqual([day, clock]);
    expect(await page.value('main textarea', 'Text')).toBe('It rains.');
    await page.goTo('/admin/articles');
    await page.fill(['main input[type=search]'], title);
    await page.see('main a', title);
  });

  walk('closes the log-in by Back, which Forward does not open again, and then leaves the page', async (page) => {
    const layers = () => page.read<number>('(history.state?.layers ?? []).length');
    await page.goTo('/about');
    await page.goTo('/categories');
    await page.press('header a', 'Log in');
    await page.see('.modal h2', 'Welcome back');
    await expect.poll(layers).toBe(1);
    await page.read('history.back() ?? null');
    await page.gone('.modal h2');
    expect(await page.read('location.pathname')).toBe('/categories');
    await page.read('history.forward() ?? null');
    await expect.poll(layers).toBe(0);
    expect(await page.isShown('.modal h2')).toBe(false);
    await page.press('header a', 'Log in');
    await page.see('.modal h2', 'Welcome back');
    await page.press('.modal button', 'Close');
    await page.gone('.modal h2');
    await expect.poll(layers).toBe(0);
    await page.read('history.back() ?? null');
    await expect.poll(() => page.read('location.pathname')).toBe('/about');
  });
});
