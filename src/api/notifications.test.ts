import { expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import { defaultPreferences } from '#domain/notifications/rules.ts';
import { unsubscribeToken } from '#domain/notifications/unsubscribe.ts';
import { createAudio, createSeries, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { testSecret } from '#test/support/identity.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, site } = await startTestSite();
const { id: userId } = await createUser(db);
const { token } = await createSession(db, userId);
const viewer = { kind: 'user', id: userId, isSubscribed: false, isComplete: true } as const;
const voice = await createVoice(db, { name: 'Iris' });

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api/user${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

test('the list comes in pages, with what each line says and where it leads', async () => {
  await site.library.setFavorite(viewer, { contentTypeId: 'voice', id: voice.id, isFavorite: true });
  for (const slug of ['one', 'two', 'three']) {
    const { id } = await createAudio(db, { title: slug, slug, voiceId: voice.id, publishedAt: new Date() });
    await site.notifications.notifyFollowers(id);
  }
  const first = await call('GET', '/notifications?limit=2');
  expect(first).toMatchObject({
    status: 200,
    body: {
      items: [
        { kind: 'new-audio', text: 'Iris published “three”', path: '/audio/three', isRead: false },
        { path: '/audio/two' },
      ],
    },
  });
  const rest = await call('GET', `/notifications?limit=2&cursor=${first.body.nextCursor}`);
  expect(rest.body).toMatchObject({ items: [{ path: '/audio/one' }], nextCursor: null });
  expect(await call('GET', '/notifications?cursor=nonsense')).toMatchObject({ status: 400 });
  expect(await call('GET', '/notifications/unread')).toMatchObject({ status: 200, body: { unread: 3 } });
  const ids = [first.body.items[0].id];
  expect(await call('POST', '/notifications/read', { ids })).toMatchObject({ status: 200, body: { unread: 2 } });
  expect(await call('POST', '/notifications/read', { ids: ['x'] })).toMatchObject({ status: 400 });
  expect(await call('POST', '/notifications/read', {})).toMatchObject({ status: 200, body: { unread: 0 } });
});

test('preferences are stored as sent, and refused when invalid', async () => {
  expect(await call('GET', '/notification-preferences')).toEqual({ status: 200, body: defaultPreferences });
  const changed = { ...defaultPreferences, email: 'weekly', quiet: { from: 22, until: 7 }, timeZone: 'Europe/Vienna' };
  expect(await call('PUT', '/notification-preferences', changed)).toEqual({ status: 200, body: changed });
  expect(await call('GET', '/notification-preferences')).toEqual({ status: 200, body: changed });
  for (const wrong of [{ email: 'hourly' }, { digestHour: 24 }, { mutedKinds: ['weather'] }])
    expect(await call('PUT', '/notification-preferences', { ...changed, ...wrong })).toMatchObject({ status: 400 });
});

test.each([
  [{ timeZone: 'Europe/Atlantis' }, 'This site does not know the time zone of your device. Nothing was saved.'],
  [{ quiet: { from: 7, until: 7 } }, 'Quiet hours begin and end at the same time. Choose different hours.'],
])('preferences with %j are refused in words for the listener', async (wrong, message) => {
  expect(await call('PUT', '/notification-preferences', { ...defaultPreferences, ...wrong })).toMatchObject({
    status: 400,
    body: { error: { code: 'request/invalid', message } },
  });
});

test('news of a creator and of a series are switched, twice as once', async () => {
  const series = await createSeries(db);
  for (const isOn of [false, false, true]) {
    expect(await call('PUT', `/notification-voices/${voice.id}`, { isOn })).toMatchObject({ status: 200 });
    expect(await site.notifications.listFollowedVoices(userId)).toMatchObject([{ id: voice.id, isOn }]);
    expect(await call('PUT', `/notification-series/${series.id}`, { isOn })).toMatchObject({ status: 200 });
    expect(await site.notifications.isSeriesFollowed(userId, series.id)).toBe(isOn);
  }
  expect(await call('PUT', `/notification-voices/${series.id}`, { isOn: false })).toMatchObject({ status: 404 });
  expect(await call('PUT', `/notification-series/${voice.id}`, { isOn: true })).toMatchObject({ status: 404 });
});

test('an endpoint that is no push service is refused', async () => {
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
  const add = (endpoint: string) => call('POST', '/push-subscriptions', { endpoint, keys });
  expect(await add('http://169.254.169.254/latest')).toMatchObject({ status: 400 });
  expect(await add('no address')).toMatchObject({ status: 400 });
});

test('the button of a mail program ends mails by one POST; a GET and a forged link change nothing', async () => {
  await site.notifications.savePreferences(userId, { ...defaultPreferences, email: 'daily' });
  const address = `${url}/unsubscribe/${unsubscribeToken(testSecret, userId)}`;
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  await fetch(address);
  expect((await fetch(`${address.slice(0, -1)}!`, { method: 'POST', body })).status).toBe(404);
  expect(
    (await fetch(`${url}/unsubscribe/${unsubscribeToken('another secret', userId)}`, { method: 'POST', body })).status,
  ).toBe(404);
  expect(await site.notifications.findPreferences(userId)).toMatchObject({ email: 'daily' });
  const multipart = new FormData();
  multipart.set('List-Unsubscribe', 'One-Click');
  for (const sent of [body, multipart]) {
    await site.notifications.savePreferences(userId, { ...defaultPreferences, email: 'daily' });
    expect(await fetch(address, { method: 'POST', body: sent, redirect: 'manual' })).toMatchObject({ status: 200 });
    expect(await site.notifications.findPreferences(userId)).toMatchObject({ email: 'off' });
  }
  const form = await fetch(address, { method: 'POST', redirect: 'manual' });
  expect([form.status, form.headers.get('location')]).toEqual([303, '/unsubscribe/done']);
  const forged = await fetch(`${address.slice(0, -1)}!`, { method: 'POST', redirect: 'manual' });
  expect([forged.status, forged.headers.get('location')]).toEqual([303, `${new URL(address).pathname.slice(0, -1)}!`]);
});

test('too many at once: a mail program gets 429, a person a page', async () => {
  const address = `${url}/unsubscribe/damaged`;
  const send = (body?: URLSearchParams) =>
    fetch(address, { method: 'POST', redirect: 'manual', ...(body !== undefined && { body }) });
  for (let sent = 0; sent < 60; sent += 1) await send();
  expect((await send(new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }))).status).toBe(429);
  const page = await send();
  expect([page.status, page.headers.get('location')]).toEqual([303, '/unsubscribe/busy']);
});

test('with news turned off, nothing is listed, sent or accepted', async () => {
  const { value, revision } = (await site.admin.site.findSiteSettings(operator)).features;
  await site.admin.site.changeSection(operator, 'features', { value: { ...value, news: false }, revision });
  expect(await call('GET', '/notifications')).toMatchObject({ status: 200, body: { items: [] } });
  expect(await call('GET', '/notifications/unread')).toMatchObject({ body: { unread: 0 } });
  expect(await call('PUT', '/notification-preferences', defaultPreferences)).toMatchObject({
    body: { error: { code: 'site/feature-off' } },
  });
  expect(await site.notifications.findDueBatches()).toEqual([]);
});
