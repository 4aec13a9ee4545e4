import { expect, test } from 'vitest';
import { startTestSite } from '#test/support/site.ts';

const { url } = await startTestSite({ LANGUAGES: 'de,ar' });

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
