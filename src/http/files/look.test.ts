import { expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import type { LookPart } from '#domain/look/settings.ts';
import { renderEmail } from '#domain/kernel/email-template.ts';
import { openSite } from '#domain/site.ts';
import { openCovers } from '#gateways/covers.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { startTestSite } from '#test/support/site.ts';
import { openTestIdentity, testSecret } from '#test/support/identity.ts';
import { mailInto } from '#test/support/servers/mail-box.ts';

const { url, site, blobs, incoming, database, db, identity } = await startTestSite();
const other = await openTestIdentity(database, { siteUrl: site.facts.url });
/** Another process on the same database. */
const second = await openSite({
  db,
  facts: { ...site.facts, name: 'Sotto' },
  identityProvider: other.provider,
  payments: openPlainPayments().provider,
  mail: mailInto(identity.mails),
  blobs,
  incoming,
  covers: openCovers(),
  secret: testSecret,
  adminSecondFactor: 'optional',
});

const revisionOf = async (part: LookPart) => (await site.admin.site.findLook(operator))[part].revision;

test('a new name is in the API, the offline page and mails, in this process and in others', async () => {
  const value = { name: 'Night & Owl' };
  await site.admin.site.changeLook(operator, 'name', { value, revision: await revisionOf('name') });
  await expect.poll(() => site.facts.name).toBe('Night & Owl');
  expect(await (await fetch(`${url}/offline`)).text()).toContain('<title>Offline · Night &amp; Owl</title>');
  expect(await (await fetch(`${url}/v1/api/openapi.json`)).json()).toMatchObject({
    info: { title: 'Night & Owl API' },
  });
  expect(await (await fetch(`${url}/blog/feed.xml`)).text()).toContain('Night &amp; Owl: Blog');
  expect(renderEmail(site.facts, { subject: '', paragraphs: [], closing: '' }).text).toContain('Night & Owl');

  expect(second.facts.name).toBe('Sotto');
  await second.settings.refresh();
  expect(second.facts.name).toBe('Night & Owl');
});

test('the stylesheet is kept forever by its own name, and never by another one', async () => {
  expect((await fetch(`${url}/look/00000000000000000000.css`)).status).toBe(404);
  const value = { dark: { accent: '#6ad1c0', ground: '#0d1418' }, light: null };
  await site.admin.site.changeLook(operator, 'colors', { value, revision: await revisionOf('colors') });
  await expect.poll(() => site.look.page()?.css).toBeDefined();
  const sheet = await fetch(url + site.look.page()?.css);
  expect(sheet.headers.get('cache-control')).toContain('immutable');
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(await sheet.text()).toContain('--bg:#0d1418');
  const older = await fetch(`${url}/look/00000000000000000000.css`);
  expect([older.status, older.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const offline = await fetch(`${url}/offline`);
  expect(await offline.text()).toContain('--bg:#0d1418');
});

test('an SVG is sent as a picture that runs nothing', async () => {
  const picture = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><script>1</script><path d="M0 0h10v10z"/></svg>',
  );
  await site.admin.site.changeLookPicture(operator, 'icon', { picture, revision: await revisionOf('icon') });
  await expect.poll(() => site.look.page()?.icon).toBeDefined();
  const { svg, png192 } = site.look.page()?.icon ?? {};
  const answer = await fetch(`${url}/${svg}`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(await answer.text()).not.toContain('script');
  const etag = answer.headers.get('etag') ?? '';
  expect((await fetch(`${url}/${svg}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await fetch(`${url}/${png192}`)).headers.get('content-type')).toBe('image/png');
  expect((await fetch(`${url}/look/${'0'.repeat(64)}.png`)).status).toBe(404);
  expect((await fetch(`${url}/look/..%2Fsecret`)).status).toBe(404);
  expect((await fetch(`${url}/${svg}`, { method: 'POST' })).status).toBe(405);
  const favicon = new Uint8Array(await (await fetch(`${url}/favicon.ico`)).arrayBuffer());
  expect(favicon.length).toBe(22 + (await blobs.stat(png192 ?? ''))!.bytes);
});
