import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '#domain/identity/tables.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const siteUrl = 'http://sotto.example';
const { url, db } = await startTestSite({ SITE_URL: siteUrl });
for (const language of ['en', 'de', 'pt-BR', 'zxx']) await createAudio(db, { language });

/** Sent by a browser without JavaScript. */
async function send(fields: [string, string][], headers: Record<string, string> = {}, path = '/languages') {
  const response = await fetch(url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      host: 'sotto.example',
      origin: siteUrl,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
  const { status } = response;
  return { status, to: response.headers.get('location'), cookie: response.headers.get('set-cookie') };
}

const chosen = (...codes: string[]) => codes.map((code): [string, string] => ['language', code]);

async function logIn() {
  const { id } = await createUser(db);
  const { token } = await createSession(db, id);
  const saved = async () => (await db.select().from(users).where(eq(users.id, id)))[0]?.preferences;
  return { cookie: { cookie: `sotto_session=${token}` }, saved };
}

test('a visitor’s choice is kept in a cookie', async () => {
  const answer = await send([...chosen('de', 'pt'), ['otherComments', 'on']]);
  expect(answer).toMatchObject({ status: 303, to: '/languages' });
  expect(answer.cookie).toMatch(/^sotto_listens=de\.pt; Max-Age=31536000; Path=\/; SameSite=Lax/);
  expect((await send(chosen('de'))).cookie).toMatch(/^sotto_listens=de\.only;/);
  expect((await send([...chosen('de'), ['otherComments', 'on']], {}, '/fr/languages')).cookie).toMatch(
    /^sotto_listens=de;/,
  );
});

test('all languages are no choice, so that those that the site gets later show, too', async () => {
  expect((await send([...chosen('en', 'de', 'pt'), ['otherComments', 'on']])).cookie).toMatch(
    /^sotto_listens=; Max-Age=0;/,
  );
});

test('a user’s choice is kept in the account', async () => {
  const user = await logIn();
  expect(await send(chosen('de'), user.cookie)).toEqual({ status: 303, to: '/account/language', cookie: null });
  expect(await user.saved()).toEqual({ listensTo: ['de'], hidesOtherComments: true });
  await send([...chosen('en', 'de', 'pt'), ['otherComments', 'on']], user.cookie);
  expect(await user.saved()).toEqual({ listensTo: null, hidesOtherComments: false });
});

test.each([[[]], [chosen('xx')], [chosen('zxx')], [chosen('de; Path=/')]])(
  'without a known language nothing is changed: %j',
  async (fields) => {
    const user = await logIn();
    expect(await send(fields)).toEqual({ status: 303, to: '/languages?languages=none', cookie: null });
    expect(await send(fields, user.cookie)).toMatchObject({ to: '/account/language?languages=none' });
    expect(await user.saved()).toEqual({});
  },
);

test('a form of another site changes nothing', async () => {
  const user = await logIn();
  const others: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];
  for (const headers of others)
    for (const cookie of [{}, user.cookie])
      expect(await send(chosen('de'), { ...headers, ...cookie })).toMatchObject({ status: 400, cookie: null });
  expect(await user.saved()).toEqual({});
});
