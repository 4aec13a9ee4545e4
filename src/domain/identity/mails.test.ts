import { expect, test } from 'vitest';
import { addressTaken, confirmEmail, emailChangedMail, passwordChanged, resetPassword } from './mails.ts';
import { renderMail } from '../kernel/mail-text.ts';

const site = { name: `Sotto <b>"&'`, url: 'https://sotto.example' };
const link = 'https://sotto.example/reset-password?token=a&b=<i>';

const mails = {
  reset: renderMail(site, resetPassword, { link }),
  confirm: renderMail(site, confirmEmail, { link }),
  changed: emailChangedMail(site, { newEmail: 'new.address@sotto.example' }),
  taken: renderMail(site, addressTaken, { link: site.url }),
  password: renderMail(site, passwordChanged, {}),
};

/** The lines of the HTML that a mail program shows. */
function shown(html: string): string[] {
  return html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<(?!\/?a\b)[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

test.each(Object.entries(mails))('%s: text and HTML say the same, and the HTML loads nothing', (_name, mail) => {
  const text = mail.text.split('\n').filter((line) => line !== '');
  const html = shown(mail.html);
  // The heading is in the HTML only: plain text has the subject above it.
  expect(html.filter((line) => line !== mail.subject)).toEqual(
    text.map((line) => line.replace(/:$/, '')).filter((line) => line !== mail.subject),
  );
  expect(mail.html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
  expect(mail.html).not.toMatch(/<(?:img|link|script|style|iframe)\b|\bsrc=|url\(|@import/i);
  expect(mail.html).not.toContain('<b>');
  expect(mail.html).not.toContain('<i>');
  expect(mail.html).toContain('Sotto &lt;b&gt;&quot;&amp;&#39;');
});

test('the link is a button and also escaped text', () => {
  expect(mails.reset.html.split('href="https://sotto.example/reset-password?token=a&amp;b=&lt;i&gt;"')).toHaveLength(3);
  expect(mails.reset.text).toContain(`\n${link}\n`);
});

test('the old address does not learn the whole new one', () => {
  expect(mails.changed.text).toContain('n…@sotto.example');
  expect(mails.changed.text + mails.changed.html).not.toContain('new.address');
});
