import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { audios } from '../../catalogue/tables.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { VoiceRole } from '../../kernel/viewer.ts';
import { type Actor, operator } from '../../kernel/actor.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createSeries, createUser, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { slow } from '#test/support/tags.ts';
import { AudioChange } from '../forms.ts';

const { db } = await createTestDatabase();
const { catalogue, studio, listening } = await openTestSite(db);

async function manager(voiceId: string, role: VoiceRole = 'owner') {
  const { id, username } = await createUser(db);
  const actor = { kind: 'user', id, isSubscribed: false, isComplete: true, voiceRoles: { [voiceId]: role } } as const;
  return { ...actor, username };
}

async function liveAudio(overrides: Parameters<typeof createAudio>[1] = {}) {
  const audio = await createAudio(db, {
    title: 'Old title',
    slug: `slug-${crypto.randomUUID().slice(0, 8)}`,
    ...overrides,
  });
  return { audio, owner: await manager(audio.voiceId) };
}

async function save(actor: Actor, id: string, version: number, change: AudioChange) {
  return studio.saveAudio(actor, id, { version, change: AudioChange.parse(change) });
}

async function logOf(audioId: string) {
  return db.select().from(auditEntries).where(eq(auditEntries.subjectId, audioId)).orderBy(auditEntries.id);
}

test('changes of a live audio are kept apart until they are published together', async () => {
  const { audio, owner } = await liveAudio({ description: 'Old words' });
  expect(await save(owner, audio.id, 0, { title: 'New title' })).toMatchObject({
    ok: true,
    version: 1,
    apart: ['title'],
  });
  const second = await save(owner, audio.id, 1, { description: 'New words', isFree: true, tags: ['b', 'a'] });
  expect(second).toMatchObject({ ok: true, version: 2, apart: ['title', 'description', 'tags', 'isFree'] });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({
    title: 'Old title',
    description: 'Old words',
    isFree: false,
  });
  expect(await studio.findEditedAudio(owner, audio.id)).toMatchObject({
    version: 2,
    values: { title: 'New title', description: 'New words', isFree: true, tags: ['a', 'b'] },
  });
  expect(await logOf(audio.id)).toEqual([]);

  expect(await studio.publishChanges(owner, audio.id, 2)).toMatchObject({ ok: true, apart: [] });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({
    title: 'New title',
    description: 'New words',
    isFree: true,
    tags: [{ label: 'a' }, { label: 'b' }],
  });
  expect(await logOf(audio.id)).toMatchObject([
    {
      action: 'audio.edit',
      actorId: owner.id,
      actorRole: 'owner',
      before: { title: 'Old title', isFree: false },
      after: { title: 'New title', isFree: true },
    },
  ]);
});

test('the language is a field of the draft, with its own conflicts', async () => {
  const { audio, owner } = await liveAudio();
  const editor = await manager(audio.voiceId, 'editor');
  expect(await save(owner, audio.id, 0, { language: 'DE-at' })).toMatchObject({ ok: true, apart: ['language'] });
  expect(await studio.findEditedAudio(owner, audio.id)).toMatchObject({ values: { language: 'de-AT' } });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ language: 'en' });
  expect(await save(editor, audio.id, 0, { language: 'fr' })).toMatchObject({
    ok: false,
    reason: 'conflict',
    fields: ['language'],
  });
  // The same in another spelling.
  expect(await save(editor, audio.id, 0, { language: 'de_at' })).toMatchObject({ ok: true, version: 1 });
  await studio.publishChanges(owner, audio.id, 1);
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ language: 'de-AT' });
});

test('a reverted value leaves the draft', async () => {
  const { audio, owner } = await liveAudio();
  await save(owner, audio.id, 0, { title: 'Other' });
  expect(await save(owner, audio.id, 1, { title: 'Old title' })).toMatchObject({ ok: true, apart: [] });
});

test('discarded changes are gone, and the audio is as listeners see it', async () => {
  const { audio, owner } = await liveAudio();
  await save(owner, audio.id, 0, { title: 'Other', badge: 'New' });
  expect(await studio.discardChanges(owner, audio.id, 1)).toMatchObject({ ok: true, apart: [] });
  expect(await studio.findEditedAudio(owner, audio.id)).toMatchObject({ values: { title: 'Old title', badge: null } });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ title: 'Old title', badge: null });
});

test('changes of an audio that nobody sees are written at once, and logged', async () => {
  const { audio, owner } = await liveAudio({ publishedAt: null });
  const saved = await save(owner, audio.id, 0, { title: 'Second', transcript: [{ start: 0, end: 1, text: 'Hush' }] });
  expect(saved).toMatchObject({ ok: true, apart: [] });
  const [row] = await db.select({ title: audios.title }).from(audios).where(eq(audios.id, audio.id));
  expect(row?.title).toBe('Second');
  const [entry] = await logOf(audio.id);
  expect(entry).toMatchObject({ action: 'audio.edit', after: { title: 'Second', transcript: { lines: 1 } } });
  expect(JSON.stringify(entry)).not.toContain('Hush');
});

test('two editors of one field get a conflict, and of two fields none', async () => {
  const { audio, owner } = await liveAudio();
  const editor = await manager(audio.voiceId, 'editor');
  expect(await save(owner, audio.id, 0, { title: 'Mine' })).toMatchObject({ ok: true, version: 1 });
  expect(await save(editor, audio.id, 0, { description: 'Theirs' })).toMatchObject({ ok: true, version: 2 });
  expect(await save(editor, audio.id, 0, { title: 'Theirs' })).toEqual({
    ok: false,
    reason: 'conflict',
    fields: ['title'],
    change: { by: owner.username, at: expect.any(Date) },
  });
  const edited = await studio.findEditedAudio(editor, audio.id);
  expect(edited?.values).toMatchObject({ title: 'Mine', description: 'Theirs' });
  expect(edited?.changes.find(({ field }) => field === 'title')).toMatchObject({ by: owner.username, version: 1 });
  // “Keep mine”: with the version that was seen meanwhile.
  expect(await save(editor, audio.id, 2, { title: 'Theirs' })).toMatchObject({ ok: true, version: 3 });
});

test('a save whose answer was lost can be repeated', async () => {
  const { audio, owner } = await liveAudio();
  await save(owner, audio.id, 0, { title: 'Once' });
  expect(await save(owner, audio.id, 0, { title: 'Once' })).toMatchObject({ ok: true, version: 1 });
});

test('unseen changes of others are neither published nor discarded', async () => {
  const { audio, owner } = await liveAudio();
  const editor = await manager(audio.voiceId, 'editor');
  await save(owner, audio.id, 0, { title: 'Mine' });
  await save(editor, audio.id, 1, { badge: 'New' });
  expect(await studio.publishChanges(owner, audio.id, 1)).toMatchObject({
    ok: false,
    reason: 'conflict',
    fields: ['badge'],
    change: { by: editor.username },
  });
  expect(await studio.discardChanges(owner, audio.id, 1)).toMatchObject({ ok: false, reason: 'conflict' });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ title: 'Old title', badge: null });
});

test('concurrent saves of one field: one is stored, the others get a conflict', async () => {
  const { audio, owner } = await liveAudio();
  const results = await Promise.all([1, 2, 3].map((number) => save(owner, audio.id, 0, { title: `Title ${number}` })));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(results.filter((result) => !result.ok && result.reason === 'conflict')).toHaveLength(2);
});

test('a slug that is taken is refused when it is saved, not first when it is published', async () => {
  const { audio, owner } = await liveAudio();
  const other = await createAudio(db, { voiceId: audio.voiceId });
  const series = await createSeries(db, { voiceId: audio.voiceId, audioIds: [other.id] });
  expect(await save(owner, audio.id, 0, { slug: other.slug })).toEqual({
    ok: false,
    reason: 'slug-taken',
    name: other.slug,
  });
  expect(await save(owner, audio.id, 0, { categories: ['no-such'] })).toMatchObject({ reason: 'unknown-category' });
  expect(await save(owner, audio.id, 0, { series: { slug: series.slug } })).toMatchObject({
    ok: true,
    apart: ['series'],
  });
  expect(await studio.findEditedAudio(owner, audio.id)).toMatchObject({
    values: { series: { slug: series.slug, part: 2 } },
  });
  // Taken meanwhile: the other makes room.
  await save(owner, audio.id, 1, { title: 'With it' });
  const third = await createAudio(db, { voiceId: audio.voiceId });
  await db.execute(sql`insert into series_items (series_id, audio_id, position) values (${series.id}, ${third.id}, 1)`);
  expect(await studio.publishChanges(owner, audio.id, 2)).toMatchObject({ ok: true });
  const parts = await db.execute(
    sql`select audio_id, position from series_items where series_id = ${series.id} order by 2`,
  );
  expect(parts.rows.map(({ audio_id: id }) => id)).toEqual([other.id, audio.id, third.id]);
});

test('a creator adds nothing to the series of another voice', async () => {
  const { audio, owner } = await liveAudio();
  const foreign = await createSeries(db, { voiceId: (await createVoice(db)).id });
  expect(await save(owner, audio.id, 0, { series: { slug: foreign.slug } })).toMatchObject({
    reason: 'unknown-series',
  });
});

test('unpublishing keeps a draft apart, also when it is undone, until its changes are published', async () => {
  const { audio, owner } = await liveAudio();
  const category = await createCategory(db);
  await save(owner, audio.id, 0, { title: 'Apart', categories: [category.slug] });
  expect(await studio.unpublishAudio(owner, audio.id)).toMatchObject({ ok: true, changed: true });
  expect(await studio.findAudioFacts(owner, audio.id)).toMatchObject({ state: 'unpublished', title: 'Old title' });
  expect(await save(owner, audio.id, 1, { badge: 'New' })).toMatchObject({ apart: ['title', 'badge', 'categories'] });
  expect(await studio.publishAudio(owner, audio.id)).toMatchObject({ ok: true, changed: true });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ title: 'Old title', badge: null });

  await studio.unpublishAudio(owner, audio.id);
  expect(await studio.publishChanges(owner, audio.id, 2)).toMatchObject({ ok: true, apart: [] });
  expect(await studio.findAudioFacts(owner, audio.id)).toMatchObject({ state: 'unpublished', title: 'Apart' });
  // Nothing is apart, so the next save is written directly.
  expect(await save(owner, audio.id, 2, { title: 'Direct' })).toMatchObject({ ok: true, apart: [] });
  expect(await studio.findAudioFacts(owner, audio.id)).toMatchObject({ title: 'Direct' });
});

test('a change by the command line is a conflict for an editor who has not seen it', async () => {
  const { audio, owner } = await liveAudio();
  await save(owner, audio.id, 0, { title: 'Draft' });
  const { editManagedAudio } = await import('./edit-audio.ts');
  await db.transaction((tx) => editManagedAudio(tx, operator, audio.id, { title: 'By the operator' }));
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ title: 'By the operator' });
  expect(await save(owner, audio.id, 1, { title: 'Draft 2' })).toMatchObject({ ok: false, reason: 'conflict' });
  expect(await logOf(audio.id)).toMatchObject([
    { actorRole: 'operator', actorId: null, after: { title: 'By the operator' } },
  ]);
});

test('the editor reads categories, tags, series and transcript as they are', async () => {
  const category = await createCategory(db);
  const cues = [{ start: 0, end: 2, text: 'Hush' }];
  const { audio, owner } = await liveAudio({ categoryIds: [category.id], tagLabels: ['Rain', 'Night'], cues });
  const first = await createAudio(db, { voiceId: audio.voiceId });
  const series = await createSeries(db, { voiceId: audio.voiceId, audioIds: [first.id, audio.id] });
  expect((await studio.findEditedAudio(owner, audio.id))?.values).toMatchObject({
    categories: [category.slug],
    tags: ['Night', 'Rain'],
    series: { slug: series.slug, part: 2 },
    transcript: cues,
  });
  expect(await studio.listSeriesChoices(audio.id)).toEqual([
    {
      slug: series.slug,
      title: series.title,
      parts: [
        { part: 1, title: first.title, audioId: first.id },
        { part: 2, title: audio.title, audioId: audio.id },
      ],
    },
  ]);
});

test('the preview shows the draft, and nobody else gets it', async () => {
  const { audio, owner } = await liveAudio({ cues: [{ start: 0, end: 1, text: 'Still' }] });
  const category = await createCategory(db);
  await save(owner, audio.id, 0, { title: 'Soon', language: 'de', categories: [category.slug], tags: ['Rain'] });
  expect(await studio.findAudioPreview(owner, audio.id)).toMatchObject({
    audio: {
      id: audio.id,
      title: 'Soon',
      language: 'de',
      categories: [{ slug: category.slug }],
      tags: [{ label: 'Rain' }],
    },
    transcript: { language: 'de', cues: [{ text: 'Still' }] },
  });
});

test('nobody else sees or changes an audio, and a deleted one is not edited', async () => {
  const { audio, owner } = await liveAudio();
  const stranger = await manager((await createVoice(db)).id);
  const unknown = crypto.randomUUID();
  for (const id of [audio.id, unknown, audio.slug, 'no such thing']) {
    expect(await studio.findEditedAudio(stranger, id)).toBeUndefined();
    expect(await studio.findAudioFacts(stranger, id)).toBeUndefined();
    expect(await studio.findOriginal(stranger, id)).toBeUndefined();
    expect(await studio.findAudioPreview(stranger, id)).toBeUndefined();
    expect(await save(stranger, id, 0, { title: 'Stolen' })).toEqual({ ok: false, reason: 'not-found', name: id });
    expect(await studio.publishChanges(stranger, id, 0)).toEqual({ ok: false, reason: 'not-found', name: id });
    expect(await studio.unpublishAudio(stranger, id)).toEqual({ ok: false, reason: 'not-found' });
    expect(await studio.deleteAudio(stranger, id)).toEqual({ ok: false, reason: 'not-found' });
    expect(await studio.setAudioCover(stranger, id, { version: 0, choice: { drawn: true } })).toEqual({
      ok: false,
      reason: 'not-found',
      name: id,
    });
  }
  await studio.deleteAudio(owner, audio.id);
  expect(await save(owner, audio.id, 0, { title: 'Too late' })).toEqual({
    ok: false,
    reason: 'not-found',
    name: audio.id,
  });
});

test('editors do all but delete', async () => {
  const { audio } = await liveAudio();
  const editor = await manager(audio.voiceId, 'editor');
  expect(await studio.deleteAudio(editor, audio.id)).toEqual({ ok: false, reason: 'owners-only' });
  expect(await studio.unpublishAudio(editor, audio.id)).toMatchObject({ ok: true });
  expect(await studio.publishAudio(editor, audio.id)).toMatchObject({ ok: true });
  expect((await logOf(audio.id)).map(({ action, actorRole }) => `${action} ${actorRole}`)).toEqual([
    'audio.unpublish editor',
    'audio.publish editor',
  ]);
});

test('several audios at once: each for itself, and those of others are not found', async () => {
  const { audio, owner } = await liveAudio();
  const second = await createAudio(db, { voiceId: audio.voiceId, isFree: true });
  const foreign = await createAudio(db);
  const ids = [audio.id, second.id, foreign.id, audio.id];
  expect(await studio.actOnAudios(owner, ids, { act: 'free' })).toEqual({
    changed: [audio.id],
    sentForReview: [],
    unchanged: [second.id],
    refused: [{ id: foreign.id, title: null, reason: 'not-found' }],
  });
  await save(owner, audio.id, 0, { language: 'fr' });
  expect(await studio.actOnAudios(owner, ids, { act: 'set-language', language: 'zxx' })).toMatchObject({
    changed: [audio.id, second.id],
    refused: [{ id: foreign.id }],
  });
  expect(await studio.findEditedAudio(owner, audio.id)).toMatchObject({ values: { language: 'zxx' }, apart: [] });
  expect((await logOf(second.id)).at(-1)).toMatchObject({
    action: 'audio.set-language',
    before: { language: 'en' },
    after: { language: 'zxx' },
  });
  expect(await studio.actOnAudios(owner, ids, { act: 'delete' })).toMatchObject({ changed: [audio.id, second.id] });
  expect(await studio.actOnAudios(owner, ids, { act: 'restore' })).toMatchObject({ changed: [audio.id, second.id] });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ isFree: true });
});

test('only managers of the voice hear a draft', async () => {
  const { audio, owner } = await liveAudio({ publishedAt: null, isFree: true });
  const stranger = await manager((await createVoice(db)).id);
  const subscriber = { kind: 'user', id: stranger.id, isSubscribed: true, isComplete: true } as const;
  expect(await listening.findPlayableFile(owner, audio.id)).toMatchObject({ ok: true, file: { cache: 'private' } });
  for (const viewer of [{ kind: 'visitor' } as const, stranger, subscriber])
    expect(await listening.findPlayableFile(viewer, audio.id)).toEqual({ ok: false, reason: 'not-found' });
  await studio.deleteAudio(owner, audio.id);
  expect(await listening.findPlayableFile(owner, audio.id)).toEqual({ ok: false, reason: 'not-found' });
});

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a04060' } })
    .jpeg()
    .toBuffer();

test('a cover is cut out of a whole picture, kept apart, and cut again', slow, async () => {
  const { audio, owner } = await liveAudio();
  const set = await studio.setAudioCover(owner, audio.id, {
    version: 0,
    choice: { picture: await picture(2400, 1800) },
  });
  expect(set).toMatchObject({ ok: true, version: 1, apart: ['cover'] });
  const edited = await studio.findEditedAudio(owner, audio.id);
  expect(edited?.cover).toMatchObject({ source: { width: 2400, height: 1800 }, area: { x: 300, y: 0, size: 1800 } });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ imageUrl: null });

  const cut = (area: { x: number; y: number; size: number }, version: number) =>
    studio.setAudioCover(owner, audio.id, { version, choice: { area } });
  expect(await cut({ x: 0, y: 0, size: 1399 }, 1)).toEqual({ ok: false, reason: 'bad-area' });
  expect(await cut({ x: 1001, y: 0, size: 1400 }, 1)).toEqual({ ok: false, reason: 'bad-area' });
  expect(await cut({ x: -1, y: 0, size: 1400 }, 1)).toEqual({ ok: false, reason: 'bad-area' });
  expect(await cut({ x: 1000, y: 400, size: 1400 }, 1)).toMatchObject({ ok: true, version: 2 });
  await studio.publishChanges(owner, audio.id, 2);
  const after = await studio.findEditedAudio(owner, audio.id);
  expect(after?.cover.area).toEqual({ x: 1000, y: 400, size: 1400 });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ imageUrl: after?.cover.imageUrl });

  expect(await studio.setAudioCover(owner, audio.id, { version: 2, choice: { drawn: true } })).toMatchObject({
    ok: true,
  });
  expect((await studio.findEditedAudio(owner, audio.id))?.cover).toMatchObject({ source: null, area: null });
  await studio.discardChanges(owner, audio.id, 3);
  expect((await studio.findEditedAudio(owner, audio.id))?.cover.imageUrl).toBe(after?.cover.imageUrl);
});

test('a cover by the command line replaces the one in the draft, with its whole picture', slow, async () => {
  const { audio, owner } = await liveAudio();
  const { editManagedAudio } = await import('./edit-audio.ts');
  const choice = { picture: await picture(2400, 1800) };
  await studio.setAudioCover(owner, audio.id, { version: 0, choice });
  const imageKey = 'images/by-the-operator.webp';
  await db.transaction((tx) => editManagedAudio(tx, operator, audio.id, {}, { imageKey }));
  const after = await studio.findEditedAudio(owner, audio.id);
  expect(after).toMatchObject({ apart: [], cover: { source: null, area: null } });
  await studio.publishChanges(owner, audio.id, after?.version ?? 0);
  expect((await db.select().from(audios).where(eq(audios.id, audio.id)))[0]).toMatchObject({ imageKey });
});

test('comments turned off on the page of the audio stay off when the draft is published', async () => {
  const { audio, owner } = await liveAudio();
  await db.execute(sql`insert into voice_owners (voice_id, user_id) values (${audio.voiceId}, ${owner.id})`);
  await save(owner, audio.id, 0, { title: 'New title', commenters: 'subscribers' });
  expect(await studio.switchComments(owner, audio.id, true)).toBe(true);
  const edited = await studio.findEditedAudio(owner, audio.id);
  expect(edited).toMatchObject({ apart: ['title'], values: { commenters: 'nobody' } });
  expect(await studio.publishChanges(owner, audio.id, 1)).toMatchObject({ reason: 'conflict', fields: ['commenters'] });
  expect(await studio.publishChanges(owner, audio.id, edited?.version ?? 0)).toMatchObject({ ok: true });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ title: 'New title', commentsDisabled: true });
});

test('files that are not pictures are refused and leave nothing', slow, async () => {
  const { audio, owner } = await liveAudio();
  const script = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  );
  // 12,000 × 12,000 px in a few bytes.
  const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  const set = (picture: Uint8Array) => studio.setAudioCover(owner, audio.id, { version: 0, choice: { picture } });
  for (const bytes of [script, Buffer.from('no picture')])
    expect(await set(bytes)).toEqual({ ok: false, reason: 'not-a-picture' });
  await expect(set(bomb)).rejects.toMatchObject({ code: 'picture/too-costly' });
  expect(await studio.findEditedAudio(owner, audio.id)).toMatchObject({ version: 0, cover: { imageUrl: null } });
});

test('titles of any script and length, and scripts in every field', async () => {
  const { audio, owner } = await liveAudio({ publishedAt: null });
  const script = '<script>alert(1)</script>';
  const rightToLeft = 'שיר השירים אשר לשלמה';
  expect(AudioChange.safeParse({ title: 'x'.repeat(500) }).success).toBe(false);
  for (const title of ['', '   ', 'a\nb', 'a\0b', '\ud800'])
    expect([title, AudioChange.safeParse({ title }).success]).toEqual([title, false]);
  expect(AudioChange.safeParse({ voice: 'maren-holt' }).success).toBe(false);
  expect(
    await save(owner, audio.id, 0, { title: rightToLeft, description: script, badge: '<b>New</b>', tags: [script] }),
  ).toMatchObject({
    ok: true,
  });
  expect(await studio.findEditedAudio(owner, audio.id)).toMatchObject({
    values: { title: rightToLeft, description: script, badge: '<b>New</b>', tags: [script] },
  });
});

test('the table of audios: search, states, order, pages in both directions', async () => {
  const voice = await createVoice(db);
  const owner = await manager(voice.id);
  const made = [];
  for (const [index, title] of ['Amber 100%', 'Birch', 'Cedar', 'Dune', 'Ember'].entries())
    made.push(await createAudio(db, { voiceId: voice.id, title, plays: index, durationMs: 1000 * (index + 1) }));
  await createAudio(db, { voiceId: voice.id, title: 'Fog', publishedAt: null, tagLabels: ['Sea side'] });
  await createAudio(db, { voiceId: voice.id, title: 'Gale', publishedAt: new Date(Date.now() + 1e7) });
  const titles = (page: { items: { title: string }[] }) => page.items.map(({ title }) => title);
  const list = (query: object) => studio.listManagedAudios(owner, { voiceId: voice.id, limit: 2, ...query });

  const first = await list({ sort: 'title' });
  expect(titles(first)).toEqual(['Amber 100%', 'Birch']);
  expect(first).toMatchObject({
    total: 7,
    newerCursor: undefined,
    counts: { all: 7, published: 5, draft: 1, scheduled: 1 },
  });
  const second = await list({ sort: 'title', after: first.olderCursor });
  expect(titles(second)).toEqual(['Cedar', 'Dune']);
  expect(titles(await list({ sort: 'title', before: second.newerCursor }))).toEqual(['Amber 100%', 'Birch']);
  const back = await list({ sort: 'title', before: second.newerCursor });
  expect(back).toMatchObject({ newerCursor: undefined });
  expect(back.olderCursor).toBeDefined();
  expect(titles(await list({ sort: 'plays' }))).toEqual(['Ember', 'Dune']);
  expect(titles(await list({ sort: 'longest', state: 'published' }))).toEqual(['Ember', 'Dune']);
  expect(titles(await list({ q: '100%' }))).toEqual(['Amber 100%']);
  expect(titles(await list({ q: '%' }))).toEqual(['Amber 100%']);
  const tagged = await list({ q: 'sea' });
  expect([titles(tagged), tagged.total, tagged.counts.draft]).toEqual([['Fog'], 1, 1]);
  expect(titles(await list({ q: '  ' }))).toHaveLength(2);
  // Most recently changed first; a draft counts as a change.
  await save(owner, made[1]?.id ?? '', 0, { title: 'Birch again' });
  const changed = await list({});
  expect(changed.items[0]).toMatchObject({ title: 'Birch', hasChanges: true });
  expect(titles(await list({ after: changed.olderCursor }))).not.toContain('Birch');
  await expect(list({ sort: 'plays', after: first.olderCursor })).rejects.toMatchObject({ code: 'request/bad-cursor' });

  const stranger = await manager((await createVoice(db)).id);
  expect(await studio.listManagedAudios(stranger, { voiceId: voice.id, limit: 10 })).toMatchObject({
    items: [],
    total: 0,
  });
  expect((await studio.listManagedAudios(stranger, { limit: 10 })).items).toEqual([]);
});
