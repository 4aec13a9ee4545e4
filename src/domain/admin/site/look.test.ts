import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { desc, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { openCovers } from '#gateways/covers.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createArticle, createCategory, createViewer } from '#test/support/factories.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { User } from '../../kernel/viewer.ts';
import { purgeLookFiles } from '../../look/files.ts';
import { openLook } from '../../look/open-look.ts';
import { lookFiles } from '../../look/tables.ts';
import { openSettings } from '../../settings/open-settings.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { infoPageSetting } from '../../editorial/info-pages.ts';
import { blogTopics } from '../../editorial/topics.ts';
import { openSiteAdmin } from './open-site-admin.ts';
import { removeAfterTwoDays } from '#test/support/unused-files.ts';
import { slow } from '#test/support/tags.ts';

const { db } = await createTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'sotto-look-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const blobs = openDiskBlobs({ dir: folder });
const tools = { db, blobs, covers: openCovers() };
const admin = openSiteAdmin({ ...tools, membership: { payments: openPlainPayments().provider } });
const settings = await openSettings({ db });
const look = openLook({ db, settings, siteName: 'Sotto' });
const ada: User = { ...(await createViewer(db, { username: 'ada.m', isAdmin: true })), isAdmin: true };
const listener: User = await createViewer(db);

const revisionOf = async (part: keyof Awaited<ReturnType<typeof admin.findLook>>) =>
  (await admin.findLook(ada))[part].revision;

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();

const logo = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><script>alert(1)</script><rect onclick="alert(1)" width="40" height="10" style="fill:#ff0000;background:url(http://evil.example/x)"/></svg>`,
);

test('a part is changed, shown by every process that reads it, told in the log, and made as it was', async () => {
  const revision = await revisionOf('name');
  expect(look.name()).toBe('Sotto');
  expect(await admin.changeLook(ada, 'name', { value: { name: 'Night Owl' }, revision })).toEqual({ ok: true });
  await settings.refresh();
  expect(look.name()).toBe('Night Owl');
  const stored = (await admin.findLook(ada)).name;
  expect(stored).toMatchObject({ value: { name: 'Night Owl' }, changedBy: 'ada.m' });
  const [entry] = await db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1);
  expect(entry).toMatchObject({ action: 'settings.change', subjectId: 'look-name' });

  const late = admin.changeLook(ada, 'name', { value: { name: 'Late' }, revision });
  await expect(late).rejects.toMatchObject({
    code: 'look/changed',
    message: expect.stringMatching(/^ada\.m changed/),
    change: { by: 'ada.m', at: stored.changedAt },
  });
  expect(await admin.resetLook(ada, 'name', stored.revision)).toEqual({ ok: true });
  await settings.refresh();
  expect(look.name()).toBe('Sotto');
});

test('nobody else sees or changes the look', async () => {
  const notFound = expect.objectContaining({ code: 'request/not-found' });
  await expect(admin.findLook(listener)).rejects.toEqual(notFound);
  await expect(admin.changeLook(listener, 'name', { value: { name: 'Mine' }, revision: 0 })).rejects.toEqual(notFound);
  await expect(admin.changeLookPicture(listener, 'logo', { picture: logo, revision: 0 })).rejects.toEqual(notFound);
  await expect(admin.resetLook(listener, 'name', 0)).rejects.toEqual(notFound);
  await expect(admin.exportLook(listener)).rejects.toEqual(notFound);
  await expect(admin.importLook(listener, '{}')).rejects.toEqual(notFound);
  await expect(admin.undoImport(listener)).rejects.toEqual(notFound);
});

test('colors that hide something are refused, with ones that work', async () => {
  const colors = { dark: { accent: '#2a2020', ground: '#141012' }, light: null };
  const refused = await admin.changeLook(ada, 'colors', { value: colors, revision: 0 });
  expect(refused).toMatchObject({ ok: false, reason: 'look/contrast' });
  const [, better = ''] = /(#[0-9a-f]{6}) works/.exec('message' in refused ? (refused.message ?? '') : '') ?? [];
  const value = { dark: { accent: better, ground: '#141012' }, light: null };
  expect(await admin.changeLook(ada, 'colors', { value, revision: 0 })).toEqual({ ok: true });
  await settings.refresh();
  expect(look.page()?.css).toMatch(/^\/look\/[0-9a-f]{20}\.css$/);
});

test('a logo is cleaned and drawn, a PNG is encoded again, and what is not a picture is refused', async () => {
  const saved = await admin.changeLookPicture(ada, 'logo', { picture: logo, revision: await revisionOf('logo') });
  expect(saved).toEqual({ ok: true, removed: ['onclick', 'script'] });
  const { dark } = (await admin.findLook(ada)).logo.value;
  const text = await new Response(blobs.read(dark?.key ?? '')).text();
  expect(text).toContain('fill="#ff0000"');
  expect(text).not.toMatch(/script|onclick|evil/);
  expect(dark).toMatchObject({ width: 768, height: 192 });

  const png = { picture: await picture(300, 100), theme: 'light', revision: await revisionOf('logo') } as const;
  expect(await admin.changeLookPicture(ada, 'logo', png)).toEqual({ ok: true });
  expect((await admin.findLook(ada)).logo.value.dark).toEqual(dark);

  const revision = await revisionOf('icon');
  for (const [content, reason] of [
    [Buffer.from('no picture at all'), 'picture/unreadable'],
    [Buffer.from('<html><body>hello</body></html>'), 'look/bad-svg'],
    [Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><!--${'x'.repeat(200_000)}--></svg>`), 'look/svg-too-large'],
  ] as const)
    expect(await admin.changeLookPicture(ada, 'icon', { picture: content, revision })).toMatchObject({
      ok: false,
      reason,
    });
  expect(await admin.changeLookPicture(ada, 'icon', { picture: logo, revision })).toMatchObject({ ok: true });
  const { icon } = (await admin.findLook(ada)).icon.value;
  const { width, height } = await sharp(
    Buffer.from(await new Response(blobs.read(icon?.png192 ?? '')).arrayBuffer()),
  ).metadata();
  expect([width, height]).toEqual([192, 192]);
});

test('rails are of things that exist', async () => {
  const { slug } = await createCategory(db);
  const rail = (name: string) => ({ kind: 'category', slug: name, title: null }) as const;
  const change = async (name: string) => ({
    value: { visitors: [rail(name)], listeners: null },
    revision: await revisionOf('home'),
  });
  expect(await admin.changeLook(ada, 'home', await change('nowhere'))).toMatchObject({
    reason: 'look/unknown-content',
  });
  expect(await admin.changeLook(ada, 'home', await change(slug))).toEqual({ ok: true });
});

test('an exported look is imported completely, and the previous one is restored', async () => {
  const exported = await admin.exportLook(ada);
  const before = (await admin.findLook(ada)).logo.value;
  await admin.resetLook(ada, 'logo', await revisionOf('logo'));
  await admin.changeLook(ada, 'name', { value: { name: 'Other' }, revision: await revisionOf('name') });

  expect(await admin.importLook(operator, exported)).toEqual({ ok: true });
  expect((await admin.findLook(ada)).logo.value).toEqual(before);
  expect((await admin.findLook(ada)).name.value.name).toBe(null);
  expect(await admin.canUndo(ada)).toBe(true);
  expect(await admin.undoImport(ada)).toEqual({ ok: true });
  expect((await admin.findLook(ada)).name.value.name).toBe('Other');
  expect((await admin.findLook(ada)).logo.value).toEqual({ dark: null, light: null });
  expect(await admin.undoImport(ada)).toMatchObject({ reason: 'look/nothing-to-undo' });

  await admin.importLook(ada, exported);
  await admin.changeLook(ada, 'name', { value: { name: 'Since' }, revision: await revisionOf('name') });
  expect(await admin.undoImport(ada)).toMatchObject({ reason: 'look/nothing-to-undo' });
});

test('the words of the site are in the file too', async () => {
  const about = infoPageSetting('about');
  const text = '# About us\n\nWritten by {operator}.';
  const { revision } = await findSetting(db, about);
  await db.transaction((tx) => changeSetting(tx, about, { actor: operator, value: { text }, revision }));
  const exported = await admin.exportLook(ada);
  await db.transaction((tx) =>
    changeSetting(tx, about, { actor: operator, value: { text: null }, revision: revision + 1 }),
  );
  expect(await admin.importLook(ada, exported)).toEqual({ ok: true });
  expect((await findSetting(db, about)).value.text).toBe(text);
});

test('an import keeps the topics that articles have', slow, async () => {
  const exported = JSON.parse(await admin.exportLook(ada));
  const poems = { slug: 'poems', label: 'Poems' };
  const withTopics = (topics: object[]) =>
    JSON.stringify({ ...exported, settings: { ...exported.settings, 'blog-topics': { topics } } });
  const topicsNow = async () => (await findSetting(db, blogTopics)).value.topics.map(({ slug }) => slug);
  await createArticle(db, { topic: 'culture' });
  expect(await admin.importLook(ada, withTopics([poems]))).toEqual({ ok: true });
  expect(await topicsNow()).toEqual(['poems', 'culture']);
  const many = Array.from({ length: 30 }, (_, index) => ({ slug: `topic-${index}`, label: `Topic ${index}` }));
  await expect(admin.importLook(ada, withTopics(many))).rejects.toMatchObject({ code: 'article/topic-in-use' });
  expect(await admin.undoImport(ada)).toEqual({ ok: true });
  expect(await topicsNow()).toEqual(['sex', 'wellness', 'culture', 'relationships']);
});

test('a file that is damaged, newer or from elsewhere changes nothing', async () => {
  const exported = JSON.parse(await admin.exportLook(ada));
  const [key = ''] = Object.keys(exported.files).filter((name) => name.endsWith('.svg'));
  const attack = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').toString('base64');
  const with_ = (change: object) => JSON.stringify({ ...exported, ...change });
  const settingsWith = (change: object) => with_({ settings: { ...exported.settings, ...change } });
  const before = await admin.findLook(ada);
  const cases: [string, string, RegExp?][] = [
    ['not json', 'look/bad-file'],
    ['[]', 'look/bad-file'],
    [with_({ version: 2, more: true }), 'look/newer-file'],
    [with_({ more: true }), 'look/bad-file'],
    [settingsWith({ membership: { month: 1 } }), 'look/bad-file', /membership/],
    [settingsWith({ 'look-name': { name: 'x'.repeat(60) } }), 'look/bad-file', /Name of the site/],
    [settingsWith({ 'look-colors': { dark: { accent: '#141012', ground: '#141012' } } }), 'look/bad-file', /Colors/],
    [
      settingsWith({ 'look-footer': { groups: [{ links: [{ label: 'x', to: 'javascript:alert(1)' }] }] } }),
      'look/bad-file',
    ],
    [
      settingsWith({ 'info-about': { text: '# About\n\n{nothing}' } }),
      'look/bad-file',
      /\{nothing\} is no placeholder/,
    ],
    [
      settingsWith({ 'mail-reset-password': { text: { subject: 'New password', body: 'No link here' } } }),
      'look/bad-file',
      /missing/,
    ],
    [with_({ files: {} }), 'look/bad-file', /missing/],
    [with_({ files: { ...exported.files, [key]: attack } }), 'look/bad-file', /damaged/],
    [with_({ files: { ...exported.files, 'look/x.png': attack } }), 'look/bad-file', /belongs to nothing/],
    [with_({ exportedAt: 'x'.repeat(13 * 1024 * 1024) }), 'look/bad-file', /12 MB/],
  ];
  for (const [file, reason, message] of cases) {
    const outcome = await admin.importLook(ada, file);
    expect([file.slice(0, 60), outcome]).toEqual([file.slice(0, 60), expect.objectContaining({ ok: false, reason })]);
    if (message) expect('message' in outcome && outcome.message).toMatch(message);
  }
  expect(await admin.findLook(ada)).toEqual(before);
});

test('unused pictures are deleted after a day', async () => {
  await admin.resetLook(ada, 'card', await revisionOf('card'));
  await admin.changeLookPicture(ada, 'card', { picture: await picture(1200, 630), revision: await revisionOf('card') });
  const { key } = (await admin.findLook(ada)).card.value;
  await admin.resetLook(ada, 'card', await revisionOf('card'));
  const there = async () =>
    (
      await db
        .select()
        .from(lookFiles)
        .where(eq(lookFiles.fileKey, key ?? ''))
    ).length;
  await purgeLookFiles(db);
  expect(await there()).toBe(1);
  const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000);
  expect(await purgeLookFiles(db, tomorrow)).toBeGreaterThan(0);
  expect(await there()).toBe(0);
  await removeAfterTwoDays(tools);
  expect(await blobs.stat(key ?? '')).toBeUndefined();
  const { dark } = (await admin.findLook(ada)).logo.value;
  if (dark !== null) expect(await blobs.stat(dark.key)).toBeDefined();
});
