import { expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import { Languages } from '#domain/settings/languages.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, site } = await startTestSite();
const offer = (offered: Partial<Languages>, revision: number) =>
  site.admin.site.changeSection(operator, 'languages', { value: Languages.parse(offered), revision });
await offer({ de: true, ar: true }, 0);

async function ask(path: string, language: string) {
  const response = await fetch(url + path, { headers: { 'accept-language': language } });
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { ...error, cache: response.headers.get('cache-control') };
}

test.each([
  ['de-AT,de;q=0.9,en;q=0.5', 'Bitte melde dich an, um fortzufahren.', 'Seite nicht gefunden.'],
  ['ar', 'سجّل الدخول للمتابعة.', 'الصفحة غير موجودة.'],
  // The site does not offer French.
  ['fr,ar;q=0.3', 'سجّل الدخول للمتابعة.', 'الصفحة غير موجودة.'],
  ['en,de', 'Please log in to continue.', 'Page not found.'],
  ['tlh', 'Please log in to continue.', 'Page not found.'],
  ['*', 'Please log in to continue.', 'Page not found.'],
])('who asks for “%s” is told “%s”, and the code stays', async (language, thrown, returned) => {
  expect(await ask('/v1/api/user/favorites', language)).toMatchObject({ code: 'auth/login-required', message: thrown });
  expect(await ask('/v1/api/nowhere', language)).toEqual({
    code: 'request/not-found',
    message: returned,
    // No reader gets another one's language from a cache.
    cache: 'no-store',
  });
});

test('answers at the same time do not take each other’s language', async () => {
  const languages = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? 'de' : 'en'));
  const messages = await Promise.all(languages.map(async (code) => (await ask('/v1/api/nowhere', code)).message));
  expect(messages).toEqual(languages.map((code) => (code === 'de' ? 'Seite nicht gefunden.' : 'Page not found.')));
});

test('a language that an operator no longer offers is not answered in, from the next request on', async () => {
  await offer({ de: false, ar: true }, 1);
  expect((await ask('/v1/api/nowhere', 'de')).message).toBe('Page not found.');
  await offer({ de: true, ar: true }, 2);
  expect((await ask('/v1/api/nowhere', 'de')).message).toBe('Seite nicht gefunden.');
});
