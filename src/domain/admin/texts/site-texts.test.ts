import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createViewer } from '#test/support/factories.ts';
import { openTestIdentity, registerUser } from '#test/support/identity.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { infoPageNames } from '../../editorial/info-pages.ts';
import { languageCodes } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { renderMail, findMailFault, translatedText } from '../../kernel/mail-text.ts';
import { emailChangedMail, resetPassword } from '../../identity/mails.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { User } from '../../kernel/viewer.ts';
import { giftMail, welcomeMail } from '../../membership/mails.ts';
import { mailTextsOf } from '../../settings/mail-texts.ts';
import { openSettings } from '../../settings/open-settings.ts';
import { siteSettings } from '../../settings/tables.ts';
import { mailGroups } from './mail-kinds.ts';

const { db } = await createTestDatabase();
const {
  admin: { texts },
  editorial,
  settings,
} = await openTestSite(db);
const ada: User = { ...(await createViewer(db, { username: 'ada.t', isAdmin: true })), isAdmin: true };
const site = { name: 'Hush', url: 'https://hush.example', textOf: mailTextsOf(settings) };

const refusedWith = (code: ErrorCode, message?: string) =>
  expect.objectContaining({ code, ...(message !== undefined && { message: expect.stringContaining(message) }) });
const kinds = mailGroups.flatMap((group) => group.kinds);

test('the site’s own texts have all that they need', async () => {
  expect(kinds.length).toBeGreaterThan(25);
  expect(new Set(kinds.map(({ key }) => key)).size).toBe(kinds.length);
  for (const kind of kinds) expect([kind.key, findMailFault(kind, kind.text)]).toEqual([kind.key, undefined]);
  for (const kind of kinds) {
    const { subject, text, html } = texts.previewMailText(ada, kind.key, kind.text);
    expect([kind.key, `${subject}${text}${html}`.match(/\{\w+\}|undefined/)]).toEqual([kind.key, null]);
  }
  expect(texts.listMails(ada).flatMap(({ mails }) => mails)).not.toContainEqual(expect.objectContaining({ when: '' }));
  for (const name of infoPageNames) {
    const { text } = await texts.findInfoText(ada, name);
    await expect(texts.previewInfoPage(ada, name, text)).resolves.toMatchObject({ html: expect.any(String) });
  }
});

test.each(languageCodes)('the site’s own texts of mails have in %s what the English ones have', (code) => {
  for (const kind of kinds) {
    const text = inLanguage(code, () => translatedText(kind));
    expect([kind.key, findMailFault(kind, text)]).toEqual([kind.key, undefined]);
    expect([kind.key, text.body.split('\n\n').length]).toEqual([kind.key, kind.text.body.split('\n\n').length]);
  }
});

test('mails ask for an answer only where one reaches the operator', async () => {
  const answered = await openTestSite(db, undefined, undefined, undefined, {
    operator: { name: 'Night Works', email: 'hello@sotto.example' },
  });
  const asking = (at: Pick<typeof answered.admin, 'texts'>) =>
    kinds
      .filter(({ key, text }) =>
        /(answer|reply to) this (message|mail|email)/i.test(at.texts.previewMailText(ada, key, text).text),
      )
      .map(({ key }) => key);
  expect(asking({ texts })).toEqual([]);
  expect(asking(answered.admin)).toEqual([
    'email-changed',
    'account-deletion',
    'new-role',
    'comment-removed',
    'comment-warning',
    'comment-suspension',
    'undone-remove',
    'undone-warn',
    'undone-suspend',
    'creator-refused',
    'creator-withdrawn',
    'review-returned',
    'comment-not-published',
  ]);
  const { text, html } = emailChangedMail(site, { newEmail: 'new@sotto.example' });
  expect(text).toContain('open https://hush.example/account at once on a device where you are still logged in');
  expect(html).toContain('<a href="https://hush.example/account"');
  expect(emailChangedMail({ ...site, takesAnswers: true }, { newEmail: 'new@sotto.example' }).text).toMatch(
    /If it was not you, please answer this message at once\.\n$/,
  );
});

test('the texts claim nothing of another site that only this one can know', async () => {
  const all = await Promise.all(infoPageNames.map((name) => editorial.findInfoPage(name)));
  expect(JSON.stringify(all)).not.toMatch(/sotto voce|deleted after 30 days|within 35 days/i);
});

test('an operator’s text of a page is in force at once, in other processes once they hear of it, until it is taken back', async () => {
  const other = await openSettings({ db });
  const text = '# About us\n\nWho we are.\n\n## Prices & *more*\n\n{site} costs {month}. <script>alert(1)</script>';
  await texts.changeInfoText(ada, 'about', { text, revision: 0 });
  const page = await editorial.findInfoPage('about');
  expect(page).toMatchObject({
    title: 'About us',
    description: 'Who we are.',
    contents: [{ id: 'section-1', title: 'Prices & more' }],
  });
  expect(page.html).toContain('Sotto costs $');
  expect(page.html).not.toContain('script');
  await other.refresh();
  expect(texts.listInfoPages(ada).map(({ key, isChanged }) => [key, isChanged])).toEqual([
    ['about', true],
    ['terms', false],
    ['privacy', false],
  ]);

  await expect(texts.changeInfoText(ada, 'about', { text: '# Mine\n\nNo.', revision: 0 })).rejects.toEqual(
    refusedWith('text/changed-meanwhile'),
  );
  const own = await texts.findInfoText(ada, 'about');
  expect(own).toMatchObject({ text, isChanged: true, revision: 1 });
  await texts.changeInfoText(ada, 'about', { text: null, revision: 1 });
  expect((await editorial.findInfoPage('about')).title).toBe('About');
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, 'info-about'));
  expect(entries.map(({ actorId, subjectName }) => [actorId, subjectName])).toEqual([
    [ada.id, 'The page About'],
    [ada.id, 'The page About'],
  ]);
});

test.each([
  ['# About\n\nText.\n\n{owner} and {site}', '{owner} is no placeholder. These are: {site}, {operator}'],
  ['About\n\nText.', 'Begin with a line such as'],
  ['# About\n\n## Only a heading', 'Begin with a line such as'],
  ['', 'Begin with a line such as'],
])('a page such as %j is refused, and says why', async (text, why) => {
  await expect(texts.changeInfoText(ada, 'terms', { text, revision: 0 })).rejects.toEqual(
    refusedWith('text/unusable', why),
  );
  await expect(texts.previewInfoPage(ada, 'terms', text)).rejects.toThrow(why);
  expect(await texts.findInfoText(ada, 'terms')).toMatchObject({ isChanged: false, revision: 0 });
});

test('the privacy policy says how long logs and backups are kept, where the operator said so', async () => {
  const policy = async () => (await editorial.findInfoPage('privacy')).html;
  expect(await policy()).toContain('Logs are deleted once they are no longer needed');
  await texts.changeRetention(ada, { logDays: 1, backupDays: 35, revision: 0 });
  expect(await policy()).toContain('Logs are deleted after 1 day at the latest.');
  expect(await policy()).toContain('gone from our backups within 35 days after.');
  await expect(texts.changeRetention(ada, { logDays: 9, backupDays: null, revision: 0 })).rejects.toEqual(
    refusedWith('text/changed-meanwhile'),
  );
});

const link = 'https://hush.example/reset-password?token=a&b="';

test('a mail is written in the operator’s words, in text and HTML, and in the site’s again once they are taken back', async () => {
  const text = {
    subject: 'A new password for {site}',
    body: 'Good evening,\nyou asked for it.\n\n[Choose one]({link})\n\nSee you at {url}.',
    closing: '',
  };
  await texts.changeMailText(ada, 'reset-password', { text, revision: 0 });
  const mail = renderMail(site, resetPassword, { link });
  expect(mail.subject).toBe('A new password for Hush');
  expect(mail.text).toBe(
    `Hush\n\nGood evening, you asked for it.\n\nChoose one:\n${link}\n\nSee you at https://hush.example.\n`,
  );
  expect(mail.html).toContain('href="https://hush.example/reset-password?token=a&amp;b=&quot;"');
  expect(mail.html).toMatch(/Choose one<\/a>[\s\S]*See you at/);
  await texts.changeMailText(ada, 'reset-password', { text: null, revision: 1 });
  expect(renderMail(site, resetPassword, { link })).toMatchObject({ subject: 'Set a new password' });
});

test('the identity provider writes its mails in the operator’s words', async () => {
  const identity = await openTestIdentity({ db }, { textOf: mailTextsOf(settings) });
  const own = await openTestSite(db, identity.provider);
  const { email } = await registerUser(own, identity);
  const before = await texts.findMailText(ada, 'reset-password');
  const text = { subject: 'A key', body: '[Choose]({link})', closing: '' };
  await texts.changeMailText(ada, 'reset-password', { text, revision: before?.revision ?? 0 });
  await identity.provider.requestPasswordReset(email);
  await expect.poll(() => identity.mails.map(({ to, subject }) => [to, subject])).toEqual([[email, 'A key']]);
  expect(identity.mails[0]?.text).toMatch(/^Sotto\n\nChoose:\nhttp\S+\/reset-password\?token=\S+\n$/);
});

test.each([
  ['reset-password', { body: 'Ask us.' }, '{link} is missing'],
  ['reset-password', { body: 'Open {link} now.' }, 'This text has 1 link and 0 buttons.'],
  ['reset-password', { body: '[One]({link})\n\n[Two]({link})' }, 'This text has 2 links and 2 buttons.'],
  [
    'reset-password',
    { subject: 'For {user}' },
    '{user} is no placeholder of this mail. These are: {site}, {url}, {link}',
  ],
  ['password-changed', { body: '[Open]({link})' }, '{link} is no placeholder'],
  ['gift', { body: '{sender} gives you {months}. {message}\n\n[Redeem]({link})' }, '{code} is missing'],
])('%s: the words %j are refused with a reason', async (key, change, why) => {
  const mail = await texts.findMailText(ada, key);
  if (mail === undefined) throw new Error('no mail');
  const text = { ...mail.text, ...change };
  await expect(texts.changeMailText(ada, key, { text, revision: mail.revision })).rejects.toEqual(
    refusedWith('text/unusable', why),
  );
  expect(() => texts.previewMailText(ada, key, text)).toThrow(why);
});

test('user text is quoted unchanged, whatever it looks like', () => {
  const gift = { code: 'ABCD', months: 1, senderName: '{code}', message: 'One\n\n[x]({link}) <b>&\n{site}' };
  const { text, html } = giftMail(site, gift);
  expect(text).toContain(
    '{code} gives you a month of unlimited listening at Hush.\n\nOne\n\n[x]({link}) <b>&\n\n{site}',
  );
  expect(html).toContain('[x]({link}) &lt;b&gt;&amp;');
});

test('empty values leave no gap', () => {
  const plan = { amount: 499, currency: 'usd', period: 'month' as const, renewsAt: new Date('2026-11-29T12:00:00Z') };
  const welcome = (nextAmount: number, freeUntil: Date | null = null) =>
    welcomeMail(site, { ...plan, nextAmount, freeUntil }).text;
  expect(welcome(499)).toContain('Your subscription is $4.99 a month. The next payment is on 29 November 2026.');
  expect(welcome(250)).toContain('The next payment is $2.50 on 29 November 2026.');
  expect(welcome(499, plan.renewsAt)).toContain('It is free until 29 November 2026. After that it is $4.99 a month.');
  expect(welcome(250, plan.renewsAt)).toContain('29 November 2026. The first payment is $2.50. After that');
});

test('stored words that this version cannot fill give way to the site’s', async () => {
  const text = { subject: 'Old', body: 'Without its link', closing: '' };
  await db.insert(siteSettings).values({ key: 'mail-confirm-email', value: { text } });
  await db.insert(siteSettings).values({ key: 'info-terms', value: { text: '# Old\n\nText.\n\n{gone}' } });
  await settings.refresh();
  const { confirmEmail } = await import('../../identity/mails.ts');
  expect(renderMail(site, confirmEmail, { link }).subject).toBe('Confirm your new email address');
  expect((await editorial.findInfoPage('terms')).title).toBe('Terms of Service');
});

test('to everybody else there is nothing', async () => {
  const viewer = await createViewer(db);
  for (const act of [
    async () => texts.listInfoPages(viewer),
    async () => texts.listMails(viewer),
    () => texts.findInfoText(viewer, 'about'),
    () => texts.changeInfoText(viewer, 'about', { text: null, revision: 0 }),
    async () => texts.previewInfoPage(viewer, 'about', '# A\n\nB'),
    () => texts.findRetention(viewer),
    () => texts.changeRetention(viewer, { logDays: null, backupDays: null, revision: 0 }),
    () => texts.findMailText(viewer, 'gift'),
    () => texts.changeMailText(viewer, 'gift', { text: null, revision: 0 }),
    async () => texts.previewMarkdown(viewer, 'x'),
  ])
    await expect(act()).rejects.toEqual(refusedWith('request/not-found'));
});
