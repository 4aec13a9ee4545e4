import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { languageCodes, sourceLanguage } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { type InfoFacts, type InfoPageName, infoPageNames, loadInfoPages } from './info-pages.ts';

const notStated = { logDays: null, backupDays: null };

/** The site's own texts. */
async function loadDefaults(facts: Omit<InfoFacts, 'paymentTitles'>) {
  const pages = await loadInfoPages({ paymentTitles: ['Stripe', 'Verotel'], ...facts });
  return (name: InfoPageName, stated: typeof offer) => pages.render(name, undefined, stated, notStated);
}

const offer = {
  trialDays: 7,
  graceDays: 7,
  currency: 'usd',
  plans: [
    { period: 'month' as const, amount: 799, perMonth: 799 },
    { period: 'year' as const, amount: 5988, perMonth: 499 },
  ],
  giftCards: [],
  currencies: [],
};

test('each page names the operator, with any characters in the name escaped', async () => {
  const write = await loadDefaults({
    name: 'Hush & *Co*',
    operator: { name: 'A <b>B</b> [Ltd](javascript:x)', address: '1 Long Lane; Anytown', email: 'a+b@c.example' },
  });
  for (const name of infoPageNames) {
    const { html, description, contents } = await write(name, offer);
    expect(contents.length).toBeGreaterThan(5);
    for (const { id, title } of contents)
      expect(html).toContain(`<h2 id="${id}">${title.replaceAll('&', '&amp;')}</h2>`);
    expect(html).toContain('A &lt;b&gt;B&lt;/b&gt; [Ltd](javascript:x)<br />1 Long Lane<br />Anytown');
    expect(html).toContain('href="mailto:a+b@c.example"');
    expect(html + description).not.toMatch(/\{\w+\}|&#\d+;/);
  }
  expect((await write('about', offer)).html).toContain('Hush &amp; *Co*');
});

test('pages say when the operator gave no details, and mention forwarding only where it is on', async () => {
  const at = await loadDefaults({ name: 'Sotto' });
  const privacy = (await at('privacy', offer)).html;
  expect(privacy).toContain('has not entered a name and an address yet');
  expect(privacy).toContain('They are passed on to nobody.');
  expect(privacy).not.toContain('email address go with it');
  expect((await at('privacy', offer)).html).toContain(
    'the <strong>payment provider</strong>, here Stripe and Verotel, when',
  );
  const forwarding = (await (await loadDefaults({ name: 'Sotto', isForwarding: true }))('privacy', offer)).html;
  expect(forwarding).toContain('also passes them on to an analytics service');
  expect(forwarding).toContain('your email address go with it to the analytics service');
  expect(forwarding).toContain('<li>the <strong>analytics service</strong>');
  expect(privacy).not.toContain('speech service');
  const drafting = (await (await loadDefaults({ name: 'Sotto', speechHost: 'speech.example:8000' }))('privacy', offer))
    .html;
  expect(drafting).toContain('<li>the <strong>speech service</strong> at speech.example:8000, which gets the sound');
});

test('prices and the trial come from the operator’s settings', async () => {
  const write = await loadDefaults({ name: 'Sotto' });
  const text = async (names: InfoPageName[], stated: typeof offer) =>
    (await Promise.all(names.map((name) => write(name, stated)))).map(({ html }) => html).join();
  expect(await text(['terms'], offer)).toMatch(
    /\$7\.99, each month.*\$59\.88, each year \(\$4\.99 per month\).*trial of 7 days/s,
  );
  expect(await text(['about'], offer)).toContain('$7.99 a month, or $4.99 a month billed once a year. It begins with');
  const plans = offer.plans.map((plan) => ({ ...plan, amount: plan.amount * 2, perMonth: plan.perMonth * 2 }));
  const dearer = await text(['about', 'terms'], { ...offer, currency: 'eur', plans, trialDays: 0 });
  expect(dearer).toMatch(/€15\.98.*€9\.98.*€119\.76/s);
  expect(dearer).not.toMatch(/begins with a free trial|\$/);
});

/** All but the words: placeholders, links, code, and the kind of each line. */
function shapeOf(text: string) {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(String).toSorted();
  const lines = text.split('\n').map((line) => /^(?:#+ (?:\d+\.)?|- |\||\*\*|$)?/.exec(line)?.[0]);
  return { placeholders: all(/\{\w+\}/g), links: all(/(?<=\]\()[^)]*/g), code: all(/`[^`]*`/g), lines };
}

const translations = languageCodes
  .filter((code) => code !== sourceLanguage)
  .flatMap((code) => infoPageNames.map((name) => [code, name] as const));

test.each(translations)('the translation into %s of %s has what the English text has', async (code, name) => {
  const read = (path: string) => readFile(new URL(`texts/${path}.md`, import.meta.url), 'utf8');
  const translation = await read(`${code}/${name}`);
  const note = '<!-- Translation, to be checked by a lawyer. -->\n\n';
  expect(translation.startsWith(note)).toBe(name !== 'about');
  expect(shapeOf(translation.replace(note, ''))).toEqual(shapeOf(await read(name)));
});

test('privacy and terms name the payment providers in use', async () => {
  const write = await loadDefaults({ name: 'Sotto' });
  for (const name of ['privacy', 'terms'] as const)
    expect((await write(name, offer)).html).toContain('Stripe and Verotel');
});

test('a page is in the language of the request, and an operator’s own text has English values', async () => {
  const pages = await loadInfoPages({ paymentTitles: ['Stripe'], name: 'Sotto', isForwarding: true });
  const render = (text?: string) =>
    inLanguage('de', () =>
      pages.render('terms', text === undefined ? text : { text, language: 'en' }, offer, notStated),
    );
  const page = await render();
  expect(page.title).toBe('Nutzungs\u00ADbedingungen');
  expect(page.html).toContain('kostenlosen Probezeit von 7 Tagen');
  expect(page.html).toContain('7,99\u00A0$');
  expect(page.html).not.toMatch(/Translation|lawyer/);
  const own = await render('# AGB\n\nText.\n\n{trial}');
  expect(own.html).toContain('free trial of 7 days');
  expect([own.language, page.language]).toEqual(['en', undefined]);
});
