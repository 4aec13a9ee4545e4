import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createViewer,
  createVoice,
} from '#test/support/factories.ts';
import { actionsAbout } from '#test/support/audit.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audios, audioTags, hiddenTags, playlists, tags, voices } from '../catalogue/tables.ts';
import { deleteAudio, restoreAudio } from '../catalogue/editing/deletion.ts';
import { editAudio } from '../catalogue/editing/editing.ts';
import { listSitemapEntries } from '../catalogue/sitemap-entries.ts';
import { choosePreview, publishAudio, unpublishAudio } from '../catalogue/editing/publishing.ts';
import { setVoiceOwner } from '../community/voice-owners.ts';
import { operator } from '../kernel/actor.ts';
import { newId } from '../kernel/ids.ts';
import { type User, visitor } from '../kernel/viewer.ts';
import { addUpFigures } from '../listening/figures.ts';
import { movedInFiles } from '../studio/tables.ts';
import { PlaylistAudiosForm, VoiceForm } from './forms.ts';
import { slow } from '#test/support/tags.ts';

const { db } = await createTestDatabase();
const {
  admin: { content },
  catalogue,
  library,
  look,
  search,
} = await openTestSite(db);
const ada: User = { ...(await createViewer(db, { username: 'ada.m', isAdmin: true })), isAdmin: true };
const listener: User = await createViewer(db);

const addressesOf = async (kind: Parameters<typeof listSitemapEntries>[1]) =>
  (await listSitemapEntries(db, kind, { after: '' })).map(({ slug }) => slug);

test('a listener and a creator can change none of it', async () => {
  const voice = await createVoice(db);
  await setVoiceOwner(db, voice.id, listener.id, true);
  const creator: User = { ...listener, voiceRoles: { [voice.id]: 'owner' } };
  const [category, playlist] = [await createCategory(db), await createPlaylist(db)];
  const refused = { ok: false, reason: 'not-found' };
  expect(await content.createVoice(creator, VoiceForm.parse({ name: 'New', voiceType: 'male' }))).toEqual(refused);
  expect(await content.editVoice(creator, voice.id, { isHidden: true })).toEqual(refused);
  expect(await content.setOwner(creator, voice.id, { account: 'ada.m', isOwner: true })).toEqual(refused);
  expect(await content.editCategory(creator, category.id, { label: 'x' })).toEqual(refused);
  expect(await content.deleteGroup(creator, 'playlist', playlist.id)).toMatchObject({ ok: false });
  expect(await content.findPlaylist(creator, playlist.id)).toBeUndefined();
  expect(await content.listCategories(creator)).toEqual([]);
  expect((await content.listVoices(creator, { limit: 5 })).items).toEqual([]);
  expect((await content.listTags(creator, { limit: 5 })).items).toEqual([]);
});

test('a hidden voice disappears from every list with its audios and series, and is restored as it was', async () => {
  const voice = await createVoice(db, { name: 'Hidden Heron', slug: 'hidden-heron' });
  const publishedAt = new Date('2026-01-02T03:04:05.678Z');
  const audio = await createAudio(db, { voiceId: voice.id, title: 'Reeds', slug: 'reeds', publishedAt });
  const draft = await createAudio(db, { voiceId: voice.id, publishedAt: null });
  const series = await createSeries(db, { voiceId: voice.id, slug: 'marsh', audioIds: [audio.id] });
  await library.setFavorite(listener, { contentTypeId: 'voice', id: voice.id, isFavorite: true });
  expect(await content.editVoice(ada, voice.id, { isHidden: true })).toMatchObject({ ok: true });

  expect(await catalogue.findVoice('hidden-heron')).toBeUndefined();
  expect(await catalogue.findAudio('reeds')).toBeUndefined();
  expect(await catalogue.findSeries('marsh')).toBeUndefined();
  expect((await catalogue.listVoices(visitor, { limit: 100 })).items.map(({ slug }) => slug)).not.toContain(
    'hidden-heron',
  );
  expect((await catalogue.listPopularVoices(visitor, 100)).map(({ slug }) => slug)).not.toContain('hidden-heron');
  for (const kind of ['voices', 'audios', 'series'] as const)
    expect(await addressesOf(kind)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/hidden-heron|reeds|marsh/)]),
    );
  expect((await content.listVoices(ada, { q: 'heron', state: 'hidden', limit: 5 })).items).toMatchObject([
    { slug: 'hidden-heron', isHidden: true, audios: 2, series: 1, favorites: 1 },
  ]);

  // Audios that are published or deleted while the voice is hidden stay hidden with it.
  await publishAudio(db, draft.id);
  expect(await catalogue.findAudio(draft.id)).toBeUndefined();
  await deleteAudio(db, audio.id);
  await content.editVoice(ada, voice.id, { isHidden: false });
  expect(await catalogue.findAudio(draft.id)).toMatchObject({ id: draft.id });
  expect(await catalogue.findAudio('reeds')).toBeUndefined();
  await restoreAudio(db, audio.id);
  expect(await catalogue.findAudio('reeds')).toMatchObject({ publishedAt: publishedAt.toISOString() });
  expect(await catalogue.findSeries(series.slug)).toMatchObject({ slug: 'marsh' });
  expect(await actionsAbout(db, voice.id)).toEqual(['voice.hide', 'voice.show']);
});

test('publishing, unpublishing and deleting take effect on the audios of a hidden voice when it is shown again', async () => {
  const voice = await createVoice(db, { slug: 'hidden-ibis' });
  const publishedAt = new Date('2024-01-02T03:04:05.678Z');
  const later = new Date(Date.now() + 3_600_000);
  const create = async (date: Date | null) => (await createAudio(db, { voiceId: voice.id, publishedAt: date })).id;
  const kept = await create(publishedAt);
  const withdrawn = await create(publishedAt);
  const back = await create(publishedAt);
  const deleted = await create(publishedAt);
  const moved = await create(later);
  const called = await create(later);
  const draft = await create(null);
  await content.editVoice(ada, voice.id, { isHidden: true });

  const states = async () => {
    const { items, counts } = await content.listAudios(ada, { voice: 'hidden-ibis', sort: 'title', limit: 50 });
    const by = new Map(items.map(({ id, state, publishedAt: date }) => [id, [state, date]]));
    for (const state of ['published', 'scheduled', 'draft', 'unpublished'] as const) {
      const listed = await content.listAudios(ada, { voice: 'hidden-ibis', state, limit: 50 });
      const ids = items.filter((item) => item.state === state).map(({ id }) => id);
      expect(listed.items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      expect(counts?.[state].count).toBe(ids.length);
    }
    return by;
  };
  const first = ['published', publishedAt.toISOString()];
  expect(await states()).toEqual(
    new Map([
      [kept, first],
      [withdrawn, first],
      [back, first],
      [deleted, first],
      [moved, ['scheduled', later.toISOString()]],
      [called, ['scheduled', later.toISOString()]],
      [draft, ['draft', null]],
    ]),
  );
  expect(await choosePreview(db, kept)).toEqual({ ok: false, reason: 'not-published' });

  expect(await publishAudio(db, kept)).toMatchObject({ ok: true, changed: false, audio: { isHidden: true } });
  expect(await unpublishAudio(db, withdrawn)).toMatchObject({ changed: true, audio: { state: 'draft' } });
  await unpublishAudio(db, back);
  expect(await publishAudio(db, back)).toMatchObject({ changed: true, audio: { state: 'published' } });
  await deleteAudio(db, deleted);
  await restoreAudio(db, deleted);
  expect(await publishAudio(db, moved, new Date(later.getTime() + 1000))).toMatchObject({ changed: true });
  expect(await publishAudio(db, moved, new Date(later.getTime() + 1000))).toMatchObject({ changed: false });
  await unpublishAudio(db, called);
  await content.editVoice(ada, voice.id, { isHidden: false });

  const shown = await states();
  for (const id of [kept, back, deleted]) expect(shown.get(id)).toEqual(first);
  expect(shown.get(withdrawn)).toEqual(['unpublished', null]);
  expect(shown.get(moved)).toEqual(['scheduled', new Date(later.getTime() + 1000).toISOString()]);
  expect(shown.get(called)).toEqual(['draft', null]);
  expect(await publishAudio(db, withdrawn)).toMatchObject({ audio: { publishedAt: publishedAt.toISOString() } });
  const { rows: news } = await db.execute<{ audio_id: string }>(
    sql`select audio_id from news_batches where audio_id = any(${sql.param([kept, back, deleted, withdrawn])}::uuid[])`,
  );
  expect(news).toEqual([]);
});

test('a voice is made, changed and given owners by email or username', async () => {
  const form = VoiceForm.parse({ name: ' Noor Azadi ', voiceType: 'female' });
  const made = await content.createVoice(operator, form);
  if (!made.ok) throw new Error(made.reason);
  expect(await content.createVoice(ada, { ...form, categoryId: newId() })).toEqual({
    ok: false,
    reason: 'unknown-category',
  });
  const category = await createCategory(db);
  await content.editVoice(ada, made.id, {
    name: 'Noor',
    voiceType: 'non-binary',
    categoryId: category.id,
    bio: 'Reads.',
  });
  await createViewer(db, { username: 'noor', email: 'noor@example.org' });
  expect(await content.setOwner(ada, made.id, { account: 'NOOR@example.org', isOwner: true })).toEqual({
    ok: true,
    changed: true,
  });
  expect(await content.setOwner(ada, made.id, { account: 'nobody', isOwner: true })).toEqual({
    ok: false,
    reason: 'no-user',
  });
  expect(await content.findVoice(ada, made.id)).toMatchObject({
    name: 'Noor',
    slug: 'noor-azadi',
    voiceType: 'non-binary',
    bio: 'Reads.',
    categoryId: category.id,
    people: [{ username: 'noor', role: 'owner' }],
  });
  await db.execute(sql`update voice_owners set role = 'editor' where voice_id = ${made.id}`);
  expect((await content.findVoice(ada, made.id))?.people).toMatchObject([{ role: 'editor' }]);
  const again = () => content.setOwner(ada, made.id, { account: 'noor', isOwner: true });
  expect(await again()).toEqual({ ok: true, changed: true });
  const { rows } = await db.execute(sql`select role from voice_owners where voice_id = ${made.id}`);
  expect(rows).toEqual([{ role: 'owner' }]);
  expect(await again()).toEqual({ ok: true, changed: false });
  await content.setOwner(ada, made.id, { account: 'noor', isOwner: false });
  expect(await content.findVoice(ada, made.id)).toMatchObject({ people: [] });
  expect(await actionsAbout(db, made.id)).toEqual([
    'voice.create',
    'voice.edit',
    'voice.add-owner',
    'voice.add-owner',
    'voice.remove-owner',
  ]);
});

test('two voices become one: all moves, the old address leads on, and the name is asked', async () => {
  const [from, to] = [await createVoice(db, { name: 'M. Holt' }), await createVoice(db, { name: 'Maren Holt' })];
  const audio = await createAudio(db, { voiceId: from.id });
  const series = await createSeries(db, { voiceId: from.id, audioIds: [audio.id] });
  const [one, two] = [await createViewer(db), await createViewer(db)];
  for (const [user, voice] of [
    [one, from],
    [two, from],
    [two, to],
  ] as const)
    await library.setFavorite(user, { contentTypeId: 'voice', id: voice.id, isFavorite: true });
  await setVoiceOwner(db, from.id, one.id, true);
  const day = sql`date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`;
  for (const { id } of [from, to])
    await db.execute(sql`
      insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports, trial_ms, free_ms)
      values (${day}, ${audio.id}, ${id}, 500, 1, 100, 200)`);
  const kept = (voiceId: string, site: number) => ({
    voiceId,
    path: `before/${site}/figures.csv`,
    fileKey: `archives/${newId().slice(-12)}.csv`,
    bytes: 1,
  });
  const files = [kept(from.id, 1), kept(from.id, 2), kept(to.id, 1)];
  await db.insert(movedInFiles).values(files);
  expect(await content.mergeVoice(ada, from.id, { into: to.id, name: 'Holt' })).toEqual({
    ok: false,
    reason: 'other-name',
  });
  expect(await content.mergeVoice(ada, from.id, { into: from.id, name: 'M. Holt' })).toMatchObject({
    reason: 'not-found',
  });
  expect(await content.mergeVoice(ada, from.id, { into: to.id, name: 'M. Holt' })).toEqual({ ok: true, held: 0 });
  const moved = await db.select().from(movedInFiles).where(eq(movedInFiles.voiceId, to.id)).orderBy(movedInFiles.path);
  expect(moved.map(({ path, fileKey }) => [path, files.findIndex((one) => one.fileKey === fileKey)])).toEqual([
    ['before/1/figures.csv', 2],
    ['before/2/figures.csv', 0],
    ['before/3/figures.csv', 1],
  ]);
  expect(await catalogue.findVoice(from.slug)).toMatchObject({ id: to.id, totalAudios: 1, totalFavorite: 2 });
  expect(await catalogue.findVoice(from.id)).toMatchObject({ id: to.id });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ voice: { id: to.id } });
  expect(await catalogue.findSeries(series.id)).toMatchObject({ voice: { id: to.id } });
  expect(await content.findVoice(ada, from.id)).toBeUndefined();
  expect(await content.findVoice(ada, to.id)).toMatchObject({ owners: 1, audios: 1 });
  const { rows } = await db.execute(
    sql`select voice_id, milliseconds::int, reports::int, trial_ms::int, free_ms::int from listened_seconds where audio_id = ${audio.id}`,
  );
  // Free listening and trials are not paid, so the merged voice knows both.
  expect(rows).toEqual([{ voice_id: to.id, milliseconds: 1000, reports: 2, trial_ms: 200, free_ms: 400 }]);
  expect(await content.mergeVoice(ada, from.id, { into: to.id, name: 'M. Holt' })).toMatchObject({
    reason: 'not-found',
  });
  // Merged on: the first address follows.
  const last = await createVoice(db, { name: 'Holt' });
  await content.mergeVoice(ada, to.id, { into: last.id, name: 'Maren Holt' });
  expect(await catalogue.findVoice(from.slug)).toMatchObject({ id: last.id });
});

test('a merge takes blocked users, muted news, deleted series and figures along', async () => {
  const [from, to] = [await createVoice(db, { name: 'B. Reed' }), await createVoice(db, { name: 'Bo Reed' })];
  const audio = await createAudio(db, { voiceId: from.id });
  const follow = (user: User, voiceId: string) =>
    library.setFavorite(user, { contentTypeId: 'voice', id: voiceId, isFavorite: true });
  const [muted, both, again, owner, blocked] = [
    await createViewer(db),
    await createViewer(db),
    await createViewer(db),
    await createViewer(db),
    await createViewer(db),
  ];
  for (const user of [muted, both, again]) await follow(user, from.id);
  await follow(both, to.id);
  // `again` muted the other one, and follows it no more.
  for (const [user, voice] of [
    [muted, from],
    [both, from],
    [again, to],
  ] as const)
    await db.execute(sql`insert into voice_mutes (user_id, voice_id) values (${user.id}, ${voice.id})`);
  await setVoiceOwner(db, from.id, owner.id, true);
  for (const [user, voice] of [
    [blocked, from],
    [both, from],
    [both, to],
    [owner, to],
  ] as const)
    await db.execute(sql`insert into voice_blocks (voice_id, user_id) values (${voice.id}, ${user.id})`);
  await db.execute(sql`
    insert into deleted_series (id, voice_id, title, content) values (${newId()}, ${from.id}, 'Gone', '{"audioIds": []}')`);
  const mark = (id: number) => Buffer.from([id, 1]);
  for (const [voice, day, listeners] of [
    [from, '2026-03-01', mark(1)],
    [from, '2026-03-02', mark(2)],
    [to, '2026-03-02', mark(3)],
  ] as const)
    await db.execute(sql`
      insert into voice_days (voice_id, day, plays, heard_ms, listeners) values (${voice.id}, ${day}, 2, 1000, ${listeners})`);
  await db.execute(sql`
    insert into figure_changes (day, kind, voice_id, audio_id) values ('2026-03-02', 'end', ${from.id}, ${audio.id})`);

  expect(await content.mergeVoice(ada, from.id, { into: to.id, name: 'B. Reed' })).toEqual({ ok: true, held: 0 });
  const select = async (table: string, columns: string) =>
    (
      await db.execute(sql`
        select ${sql.raw(columns)} from ${sql.identifier(table)} where voice_id in (${from.id}, ${to.id})
        order by ${sql.raw(table.endsWith('_days') ? 'day' : columns)}`)
    ).rows;
  const intoOf = (...viewers: { id: string }[]) =>
    viewers.map(({ id }) => ({ voice_id: to.id, user_id: id })).toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1));
  expect(await select('voice_mutes', 'voice_id, user_id')).toEqual(intoOf(muted));
  expect(await select('voice_blocks', 'voice_id, user_id')).toEqual(intoOf(both, blocked));
  expect(await select('deleted_series', 'voice_id, title')).toEqual([{ voice_id: to.id, title: 'Gone' }]);
  await addUpFigures(db);
  expect(
    (await select('voice_days', 'voice_id, day::text, plays, ends, heard_ms::int, listeners')).filter(
      ({ plays }) => plays !== 0,
    ),
  ).toEqual([
    { voice_id: to.id, day: '2026-03-01', plays: 2, ends: 0, heard_ms: 1000, listeners: mark(1) },
    { voice_id: to.id, day: '2026-03-02', plays: 4, ends: 1, heard_ms: 2000, listeners: Buffer.from([2, 1, 3, 1]) },
  ]);
  const { rows } = await db.execute(sql`
    select voice_id, sum(followers_added - followers_removed)::int as followers from voice_days
    where voice_id in (${from.id}, ${to.id}) group by 1`);
  expect(rows).toEqual([{ voice_id: to.id, followers: 3 }]);
});

test('a tag and a creator to merge into are found among any number, the exact name first', async () => {
  for (let n = 0; n < 12; n += 1) {
    await createAudio(db, { tagLabels: [`a${n} moss`] });
    await createVoice(db, { name: `A${n} Moss` });
  }
  await createAudio(db, { tagLabels: ['Moss'] });
  const moss = await createVoice(db, { name: 'Moss', slug: 'moss-of-old' });
  const found = await content.findTagChoices(ada, 'moss', 10);
  expect([found.length, found[0]]).toEqual([10, { id: expect.any(String), slug: 'moss', label: 'Moss', audios: 1 }]);
  expect((await content.findTagChoices(ada, 'a11 m', 10)).map(({ label }) => label)).toEqual(['a11 moss']);
  const voices = await content.findVoiceChoices(ada, 'Móss', 10);
  expect([voices.length, voices[0]]).toEqual([
    10,
    { id: moss.id, slug: 'moss-of-old', name: 'Moss', audios: 0, isHidden: false },
  ]);
  expect(await content.findVoiceChoices(ada, 'moss-of-old', 10)).toMatchObject([{ id: moss.id }]);
  for (const nothing of ['', '  ', '\0', '%'])
    expect([await content.findTagChoices(ada, nothing, 10), await content.findVoiceChoices(ada, nothing, 10)]).toEqual([
      [],
      [],
    ]);
  expect([
    await content.findTagChoices(listener, 'moss', 10),
    await content.findVoiceChoices(listener, 'moss', 10),
  ]).toEqual([[], []]);
});

test('of two operators who edit one thing the second is told; other fields are no conflict', async () => {
  const meanwhile = { code: 'text/changed-meanwhile', change: { by: 'ada.m', at: expect.any(Date) } };
  const voice = await createVoice(db, { name: 'Brook' });
  const before = { name: 'Brook', bio: '' };
  expect(await content.editVoice(ada, voice.id, { bio: 'Hers', before: { bio: '' } })).toMatchObject({ ok: true });
  await expect(content.editVoice(ada, voice.id, { bio: 'His', before })).rejects.toMatchObject(meanwhile);
  expect(await content.editVoice(ada, voice.id, { name: 'Brooke', before: { name: 'Brook' } })).toMatchObject({
    ok: true,
  });
  expect(await content.findVoice(ada, voice.id)).toMatchObject({ name: 'Brooke', bio: 'Hers' });

  const category = await createCategory(db, { label: 'Mist' });
  expect(await content.editCategory(ada, category.id, { label: 'Haze', before: { label: 'Mist' } })).toEqual({
    ok: true,
  });
  await expect(
    content.editCategory(ada, category.id, { label: 'Fog', before: { label: 'Mist' } }),
  ).rejects.toMatchObject(meanwhile);

  const list = await createPlaylist(db, { title: 'Nights' });
  expect(await content.editPlaylist(ada, list.id, { title: 'Late', before: { title: 'Nights' } })).toEqual({
    ok: true,
  });
  await expect(
    content.editPlaylist(ada, list.id, { title: 'Later', before: { title: 'Nights' } }),
  ).rejects.toMatchObject(meanwhile);

  await createAudio(db, { tagLabels: ['pebble'] });
  const [tag] = await content.findTagChoices(ada, 'pebble', 1);
  expect(await content.renameTag(ada, tag?.id ?? '', { label: 'Stone', before: 'pebble' })).toEqual({ ok: true });
  await expect(content.renameTag(ada, tag?.id ?? '', { label: 'Rock', before: 'pebble' })).rejects.toMatchObject(
    meanwhile,
  );
});

test('categories are made, hidden, ordered and deleted; another order in between is a conflict', async () => {
  await db.execute(sql`delete from categories`);
  const ids = [];
  for (const label of ['Sleep', 'Rain', 'Night'])
    ids.push((await content.createCategory(ada, { label, description: '' })) ?? '');
  const [sleep = '', rain = '', night = ''] = ids;
  const audio = await createAudio(db, { categoryIds: [rain, night] });
  const shown = async () => (await catalogue.listCategories()).map(({ label }) => label);
  expect(await shown()).toEqual(['Sleep', 'Rain', 'Night']);
  expect(await content.orderByHand(ada, 'category', { ids: [night, sleep] })).toBe(false);
  const before = [sleep, rain, night];
  expect(await content.orderByHand(ada, 'category', { ids: [night, sleep, rain], before })).toBe(true);
  // Another operator who has not seen that order.
  const late = content.orderByHand(ada, 'category', { ids: [rain, sleep, night], before });
  await expect(late).rejects.toMatchObject({ code: 'list/changed', change: { by: 'ada.m', at: expect.any(Date) } });
  await content.editCategory(ada, rain, { isHidden: true });
  expect(await shown()).toEqual(['Night', 'Sleep']);
  expect(await catalogue.findCategory('rain')).toBeUndefined();
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ categories: [{ label: 'Night' }] });
  expect(await addressesOf('categories')).toEqual(['night', 'sleep']);
  await content.editCategory(ada, rain, { isHidden: false, label: 'Soft rain' });
  expect(await catalogue.findCategory('rain')).toMatchObject({ label: 'Soft rain' });
  expect(await content.deleteGroup(ada, 'category', rain, 'Rain')).toEqual({ ok: false, reason: 'other-name' });
  expect(await content.deleteGroup(ada, 'category', rain, 'Soft rain')).toEqual({ ok: true });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ categories: [{ label: 'Night' }] });
  expect(await actionsAbout(db, rain)).toEqual([
    'category.create',
    'category.hide',
    'category.show',
    'category.delete',
  ]);
});

test('tags are renamed with their address, and a merge takes audios and hidden tags along', async () => {
  const audio = await createAudio(db, { tagLabels: ['drizzle'] });
  const both = await createAudio(db, { tagLabels: ['drizzle', 'rainfall'] });
  const idOf = async (slug: string) => (await db.select().from(tags).where(eq(tags.slug, slug)))[0]?.id ?? '';
  const [drizzle, rainfall] = [await idOf('drizzle'), await idOf('rainfall')];
  await library.setTagHidden(listener.id, 'drizzle', true);
  expect(await content.renameTag(ada, drizzle, { label: 'Rainfall' })).toEqual({
    ok: false,
    reason: 'exists',
    other: { id: rainfall, label: 'rainfall' },
  });
  expect(await content.renameTag(ada, drizzle, { label: 'Fine rain' })).toEqual({ ok: true });
  expect((await content.listTags(ada, { q: 'FINE', limit: 5 })).items).toEqual([
    { id: drizzle, slug: 'fine-rain', label: 'Fine rain', audios: 2, facet: null, hidden: 1 },
  ]);
  expect(await content.mergeTag(ada, drizzle, rainfall)).toEqual({ ok: true });
  expect(await db.$count(audioTags, eq(audioTags.tagId, rainfall))).toBe(2);
  expect(
    await db.select({ tagId: hiddenTags.tagId }).from(hiddenTags).where(eq(hiddenTags.userId, listener.id)),
  ).toEqual([{ tagId: rainfall }]);
  expect((await catalogue.findAudio(both.id))?.tags).toEqual([{ slug: 'rainfall', label: 'rainfall' }]);
  expect(await content.deleteTag(ada, rainfall)).toBe(true);
  expect(await content.deleteTag(ada, rainfall)).toBe(false);
  expect((await catalogue.findAudio(audio.id))?.tags).toEqual([]);
});

test('tags and categories are merged and deleted while audios get and lose them', slow, async () => {
  const edited = await Promise.all([1, 2, 3].map(() => createAudio(db)));
  const idOf = async (slug: string) => (await db.select().from(tags).where(eq(tags.slug, slug)))[0]?.id ?? '';
  const edit = (labels: string[][], categories: string[] = []) =>
    Promise.all(edited.map(({ id }, n) => editAudio(db, id, { tags: labels[n] ?? ['fog'], categories })));
  for (let round = 0; round < 10; round += 1) {
    await edit([['mist', 'fog'], ['mist']]);
    const category = await createCategory(db);
    const [mist, fog] = [await idOf('mist'), await idOf('fog')];
    const [, edits] = await Promise.all([
      round % 2 === 0 ? content.mergeTag(ada, mist, fog) : content.deleteTag(ada, mist),
      edit([['mist', 'fog'], [], ['mist']], [category.slug]),
      content.deleteGroup(ada, 'category', category.id, category.label),
    ]);
    for (const result of edits) expect(result.ok || result.reason).toBeOneOf([true, 'unknown-category']);
  }
});

test('a playlist is a draft first, is published at a time, and a deletion can be undone', async () => {
  const id = (await content.createPlaylist(ada, { title: 'After Midnight', description: '' })) ?? '';
  const first = await createAudio(db);
  const second = await createAudio(db);
  await content.setPlaylistAudios(ada, id, { audioIds: [first.id, second.id], before: [] });
  expect(await catalogue.findPlaylist(id)).toBeUndefined();
  expect(await addressesOf('playlists')).not.toContain('after-midnight');
  const soon = new Date(Date.now() + 60_000).toISOString();
  await content.editPlaylist(ada, id, { publishedAt: soon });
  expect(await content.findPlaylist(ada, id)).toMatchObject({ state: 'scheduled', publishedAt: new Date(soon) });
  expect(await catalogue.findPlaylist(id)).toBeUndefined();
  await content.editPlaylist(ada, id, { publishedAt: 'now' });
  expect(await catalogue.findPlaylist('after-midnight')).toMatchObject({ totalAudios: 2 });
  await library.setFavorite(listener, { contentTypeId: 'playlist', id, isFavorite: true });
  expect(await content.deleteGroup(ada, 'playlist', id)).toEqual({ ok: true });
  expect(await content.deleteGroup(ada, 'playlist', id)).toEqual({ ok: false, reason: 'not-found' });
  expect(await catalogue.findPlaylist(id)).toBeUndefined();
  expect((await content.listPlaylists(ada)).map((one) => one.id)).not.toContain(id);
  expect(await content.listDeletedPlaylists(ada)).toMatchObject([{ id, state: 'deleted' }]);
  expect(await content.restoreGroup(ada, 'playlist', id)).toBe(true);
  expect(await catalogue.findPlaylist(id)).toMatchObject({ totalAudios: 2 });
  await content.deleteGroup(ada, 'playlist', id);
  await db
    .update(playlists)
    .set({ deletedAt: sql`now() - interval '31 days'` })
    .where(eq(playlists.id, id));
  expect(await content.restoreGroup(ada, 'playlist', id)).toBe(false);
  expect(await content.purgeDeletedGroups()).toMatchObject({ playlists: 1 });
  expect(await content.findPlaylist(ada, id)).toBeUndefined();
});

test('a playlist counts its audios and their time as they are added, replaced by a recording, removed and deleted', async () => {
  const voice = await createVoice(db);
  const [first, second, draft] = [
    await createAudio(db, { voiceId: voice.id, durationMs: 60_000 }),
    await createAudio(db, { voiceId: voice.id, durationMs: 30_000 }),
    await createAudio(db, { voiceId: voice.id, durationMs: 10_000, publishedAt: null }),
  ];
  const audioIds = [first.id, second.id, draft.id];
  const playlist = await createPlaylist(db, { audioIds });
  const figures = async () => {
    const found = (await content.listPlaylists(ada)).find(({ id }) => id === playlist.id);
    return [found?.audios, found?.duration];
  };
  expect(await figures()).toEqual([3, 100]);
  await db.update(audios).set({ durationMs: 40_000 }).where(eq(audios.id, second.id));
  expect(await figures()).toEqual([3, 110]);
  await content.setPlaylistAudios(
    ada,
    playlist.id,
    PlaylistAudiosForm.parse({ audioIds: [draft.id, second.id], before: audioIds }),
  );
  expect(await figures()).toEqual([2, 50]);
  await db.delete(audios).where(eq(audios.id, second.id));
  expect(await figures()).toEqual([1, 10]);
  await db.delete(playlists).where(eq(playlists.id, playlist.id));
  expect((await db.execute(sql`select from playlist_counts where playlist_id = ${playlist.id}`)).rowCount).toBe(0);
});

test('a playlist shows its own picture in place of portraits, and the portraits again without it', async () => {
  const voice = await createVoice(db, { imageKey: 'images/portrait.webp' });
  const { id: audioId } = await createAudio(db, { voiceId: voice.id });
  const { id, slug } = await createPlaylist(db, { audioIds: [audioId] });
  const covers = async () => [
    (await catalogue.findPlaylist(slug))?.voiceImages,
    (await content.findPlaylist(ada, id))?.voiceImages,
  ];
  expect(await covers()).toEqual([['/images/portrait.webp'], ['/images/portrait.webp']]);
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#103060' } })
    .png()
    .toBuffer();
  expect(await content.setPicture(ada, 'playlist', id, { picture, before: null })).toMatchObject({ ok: true });
  const own = (await content.findPlaylist(ada, id))?.imageUrl ?? '';
  expect(own).toMatch(/^\/images\/.+/);
  expect(await covers()).toEqual([[own], [own]]);
  // Another operator who has not seen it.
  const late = { picture: null, before: null };
  const refused = content.setPicture(ada, 'playlist', id, late);
  await expect(refused).rejects.toMatchObject({ code: 'picture/changed', change: { by: 'ada.m' } });
  const notOne = { picture: Buffer.from('no picture'), before: own };
  expect(await content.setPicture(ada, 'playlist', id, notOne)).toEqual({ ok: false, reason: 'not-a-picture' });
  await expect(content.setPicture(listener, 'playlist', id, late)).rejects.toThrow();
  expect(await content.setPicture(ada, 'playlist', id, { picture: null, before: own })).toMatchObject({ ok: true });
  expect(await covers()).toEqual([['/images/portrait.webp'], ['/images/portrait.webp']]);
  expect(await actionsAbout(db, id)).toEqual(['playlist.edit', 'playlist.edit']);
});

test('pages of a playlist: its position among the published ones, and on Home', async () => {
  const all = await catalogue.listPlaylists(visitor, { limit: 100 });
  const [first, last] = [all.items[0], all.items.at(-1)];
  if (first === undefined || last === undefined) throw new Error('there are no playlists');
  const total = all.items.length;
  expect(await content.findPlaylistPlaces(ada, first.id, look.rails)).toEqual({
    place: 1,
    of: total,
    home: { visitors: { rail: 'all', place: 1 }, listeners: { rail: 'all', place: 1 } },
  });
  const rails = (who: 'visitors' | 'listeners') =>
    who === 'visitors' ? [] : [{ kind: 'playlist' as const, slug: last.slug, title: 'For tonight' }];
  expect(await content.findPlaylistPlaces(ada, last.id, rails)).toEqual({
    place: total,
    of: total,
    home: { visitors: undefined, listeners: { rail: 'own', title: 'For tonight' } },
  });
  const draft = await createPlaylist(db, { publishedAt: null });
  expect(await content.findPlaylistPlaces(ada, draft.id, look.rails)).toBeUndefined();
});

test('two admins order one playlist: the second gets a conflict, and nothing is lost', async () => {
  const list = [await createAudio(db), await createAudio(db), await createAudio(db)].map(({ id }) => id);
  const [a = '', b = '', c = ''] = list;
  const { id } = await createPlaylist(db, { audioIds: list });
  const outcomes = await Promise.allSettled([
    content.setPlaylistAudios(ada, id, { audioIds: [c, a, b], before: list }),
    content.setPlaylistAudios(ada, id, { audioIds: [b], before: list }),
  ]);
  const reason = expect.objectContaining({ code: 'list/changed', change: { by: 'ada.m', at: expect.any(Date) } });
  expect(outcomes.toSorted((x, y) => x.status.localeCompare(y.status))).toEqual([
    { status: 'fulfilled', value: { ok: true } },
    { status: 'rejected', reason },
  ]);
  const items = (await content.findPlaylist(ada, id))?.items.map((item) => item.id);
  expect(items).toEqual(outcomes[0].status === 'fulfilled' ? [c, a, b] : [b]);
  expect(await content.setPlaylistAudios(ada, id, { audioIds: [newId()], before: items ?? [] })).toEqual({
    ok: false,
    reason: 'unknown-audio',
  });
  expect(PlaylistAudiosForm.safeParse({ audioIds: [a, a], before: [] }).success).toBe(false);
});

test('audios to add are found by title and voice, drafts too', async () => {
  const voice = await createVoice(db, { name: 'Leila Oduya' });
  await createAudio(db, { title: 'The Passionate Shepherd', voiceId: voice.id, publishedAt: null });
  const titles = async (q: string) => (await content.findListableAudios(ada, q, 10)).map(({ title }) => title);
  expect(await titles('shepherd')).toEqual(['The Passionate Shepherd']);
  expect(await titles('leila')).toEqual(['The Passionate Shepherd']);
  expect(await titles('%')).toEqual([]);
  expect(await titles('\0')).toEqual([]);
  expect(await content.findListableAudios(listener, 'shepherd', 10)).toEqual([]);
});

test('the search finds neither hidden voices and categories nor drafts of playlists', async () => {
  const voice = await createVoice(db, { name: 'Quillon Vane' });
  const list = await createPlaylist(db, { title: 'Quillon at Night', audioIds: [(await createAudio(db)).id] });
  const names = async () => {
    const query = { term: 'quillon', page: 0, limit: 10 };
    const found = JSON.stringify(await search.search({ kind: 'visitor' }, query, '192.0.2.1'));
    return [found.includes('Quillon Vane'), found.includes('Quillon at Night')];
  };
  expect(await names()).toEqual([true, true]);
  await content.editVoice(ada, voice.id, { isHidden: true });
  await content.editPlaylist(ada, list.id, { publishedAt: null });
  // An answer may be 400 ms old.
  await expect.poll(names).toEqual([false, false]);
});

test('hidden content stays consistent in the database', async () => {
  const { rows } = await db.execute(sql`
    select a.id from ${audios} a join ${voices} v on v.id = a.voice_id
    where v.hidden_at is not null and a.published_at is not null`);
  expect(rows).toEqual([]);
});
