import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seededRandom, shuffled } from '#demo/random.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { User } from '#domain/kernel/viewer.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createUserPlaylist, createViewer, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { slow } from '#test/support/tags.ts';

const { db } = await createTestDatabase();
const site = await openTestSite(db);
const {
  admin: { content, texts, people },
  studio,
  library,
  community,
  listening,
} = site;

const calls = Number(process.env['FUZZ_CALLS'] ?? 8) * 40;
const seed = Number(process.env['SEED'] ?? 1);
const atOnce = 6;

const random = seededRandom(seed);
const whole = (max: number) => Math.floor(random() * max);
const yes = () => random() < 0.5;

function pick<Item>(items: readonly Item[]): Item {
  const item = items[whole(items.length)];
  if (item === undefined) throw new Error('nothing to pick');
  return item;
}
const some = <Item>(items: readonly Item[]) => items.filter(() => random() < 0.4);

const boss: User = { ...(await createViewer(db, { isAdmin: true })), isAdmin: true, isSubscribed: true };
const voices = [await createVoice(db), await createVoice(db)];
const creator: User = await createViewer(db);
for (const voice of voices) await setVoiceOwner(db, voice.id, creator.id, true);
const owner: User = {
  ...creator,
  isSubscribed: true,
  voiceRoles: Object.fromEntries(voices.map(({ id }) => [id, 'owner'])),
};
const listeners: User[] = [];
for (let n = 0; n < 3; n += 1) listeners.push({ ...(await createViewer(db)), isSubscribed: true });
const labels = ['Rain', 'Night', 'Sea', 'Wind', 'Fog'];
await createCategory(db);
const audios: string[] = [];
for (let n = 0; n < 8; n += 1)
  audios.push((await createAudio(db, { voiceId: pick(voices).id, tagLabels: some(labels) })).id);
const lists = await Promise.all(listeners.map(({ id }) => createUserPlaylist(db, { userId: id, isPublic: true })));

async function idsOf(table: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`select id from ${sql.identifier(table)}`);
  return rows.map(({ id }) => id);
}
const anId = async (table: string) => pick([...(await idsOf(table)), boss.id]);
const categorySlugs = async () =>
  (await db.execute<{ slug: string }>(sql`select slug from categories`)).rows.map(({ slug }) => slug);

const audioId = () => pick(audios);
const acts: Record<string, () => Promise<unknown>> = {
  async 'save an audio'() {
    const id = audioId();
    const edited = await studio.findEditedAudio(owner, id);
    await studio.saveAudio(owner, id, {
      version: edited?.version ?? 0,
      change: { title: `Title ${whole(99)}`, tags: some(labels), categories: some(await categorySlugs()).slice(0, 8) },
    });
    const after = await studio.findEditedAudio(owner, id);
    if (yes()) await studio.publishChanges(owner, id, after?.version ?? 0);
  },
  'publish or not': () =>
    studio.actOnAudios(owner, some(audios), {
      act: pick(['publish', 'unpublish', 'free', 'delete', 'restore', 'restore'] as const),
    }),
  'make a series': () => studio.createSeries(owner, pick(voices).id, { title: `Series ${whole(99)}`, description: '' }),
  'add to a series': async () => studio.addToSeries(owner, await anId('series'), audioId()),
  'take from a series': async () => studio.removeFromSeries(owner, await anId('series'), audioId()),
  'delete a series': async () => studio.deleteSeries(owner, await anId('series')),
  'restore a series': async () => studio.restoreSeries(owner, await anId('deleted_series')),
  'set a person': () => studio.setPerson(owner, pick(voices).id, 'nobody', 'editor'),
  'make a category': () => content.createCategory(boss, { label: `Category ${whole(9)}`, description: '' }),
  async 'delete a category'() {
    const id = await anId('categories');
    const found = (await content.listCategories(boss)).find((one) => one.id === id);
    await content.deleteGroup(boss, 'category', id, found?.label ?? '');
  },
  'hide a category': async () => content.editCategory(boss, await anId('categories'), { isHidden: yes() }),
  'order categories': async () =>
    content.orderByHand(boss, 'category', { ids: shuffled(await idsOf('categories'), random) }),
  'rename a tag': async () => content.renameTag(boss, await anId('tags'), { label: pick([...labels, 'Snow']) }),
  'merge tags': async () => content.mergeTag(boss, await anId('tags'), await anId('tags')),
  'delete a tag': async () => content.deleteTag(boss, await anId('tags')),
  'hide a creator': async () => content.editVoice(boss, pick(voices).id, { isHidden: random() < 0.3 }),
  'make a playlist': () => content.createPlaylist(boss, { title: `Playlist ${whole(9)}`, description: '' }),
  async 'fill a playlist'() {
    const id = await anId('playlists');
    const { rows } = await db.execute<{ id: string }>(
      sql`select audio_id as id from playlist_items where playlist_id = ${id} order by position`,
    );
    const before = rows.map((row) => row.id);
    await content.setPlaylistAudios(boss, id, { audioIds: some(audios), before });
  },
  'delete a playlist': async () => content.deleteGroup(boss, 'playlist', await anId('playlists')),
  'restore a playlist': async () => content.restoreGroup(boss, 'playlist', await anId('playlists')),
  'link a series': async () =>
    content.linkSeries(boss, pick(voices).id, { seriesId: yes() ? await anId('series') : null, before: null }),
  'hide a series': async () => content.setSeriesHidden(boss, await anId('series'), yes()),
  async 'act on many audios'() {
    const ids = some(audios);
    if (ids.length === 0) return;
    const verb = pick(['publish', 'unpublish', 'add-tags', 'remove-tags'] as const);
    const started = await content.startBulkAct(boss, {
      verb,
      ids,
      ...(verb.endsWith('-tags') && { tags: [pick(labels)] }),
    });
    if (started.ok) await content.runBulkAct(started.id);
  },
  favorite: async () =>
    library.setFavorite(pick(listeners), {
      ...pick([
        { contentTypeId: 'audio', id: audioId() },
        { contentTypeId: 'category', id: await anId('categories') },
        { contentTypeId: 'playlist', id: await anId('playlists') },
        { contentTypeId: 'userPlaylist', id: pick(lists).id },
        { contentTypeId: 'voice', id: pick(voices).id },
      ] as const),
      isFavorite: yes(),
    }),
  'hide tags': () => library.setTagHidden(pick(listeners).id, pick(labels).toLowerCase(), yes()),
  async 'add to a list'() {
    const at = whole(lists.length);
    await library.addToUserPlaylist(listeners[at]?.id ?? '', lists[at]?.id ?? '', some(audios));
  },
  async 'take from a list'() {
    const at = whole(lists.length);
    await library.removeFromUserPlaylist(listeners[at]?.id ?? '', lists[at]?.id ?? '', audioId());
  },
  async 'delete or restore a list'() {
    const at = whole(lists.length);
    const [user, list] = [listeners[at]?.id ?? '', lists[at]?.id ?? ''];
    await (yes() ? library.deleteUserPlaylist(user, list) : library.restoreUserPlaylist(user, list));
  },
  comment: async () =>
    community.writeComment(pick(listeners), audioId(), {
      text: `Text ${whole(99)}`,
      ...(yes() && { parentId: await anId('comments') }),
    }),
  'delete a comment': async () => community.deleteComment(pick([...listeners, owner]), await anId('comments')),
  'report a comment': async () => community.reportComment(pick(listeners), await anId('comments'), { reason: 'spam' }),
  'hide a comment': async () => community.setCommentHidden(owner, await anId('comments'), yes()),
  'decide a report': async () =>
    people.decideReport(boss, await anId('comments'), {
      verb: pick(['keep', 'remove'] as const),
      notifiesOwners: false,
      paysBack: false,
    }),
  'merge a new creator': async () => {
    const voice = await createVoice(db);
    await createAudio(db, { voiceId: voice.id });
    await Promise.all([
      content.mergeVoice(boss, voice.id, { into: pick(voices).id, name: voice.name }),
      library.setFavorite(pick(listeners), { contentTypeId: 'voice', id: voice.id, isFavorite: true }),
    ]);
  },
  'suspend or not': () => {
    const { id } = pick(listeners);
    return yes() ? people.suspendUser(boss, id, { reason: 'spam', paysBack: false }) : people.liftSuspension(boss, id);
  },
  'give months': () => people.giveMonths(boss, pick(listeners).id, { months: 1, reason: 'a present' }),
  'take months back': () => people.takeMonthsBack(boss, pick(listeners).id),
  'write an article': () => texts.createArticle(boss, { title: `Article ${whole(9)}` }),
  async 'edit an article'() {
    const id = await anId('articles');
    const revision = (await texts.findArticle(boss, id))?.revision ?? 0;
    await texts.editArticle(boss, id, { revision, title: `Article ${whole(9)}` });
  },
  'delete an article': async () => texts.setArticleDeleted(boss, await anId('articles'), true),
  'restore an article': async () => texts.setArticleDeleted(boss, await anId('articles'), false),
  block: () => community.setBlocked(pick(listeners), pick(listeners).id, yes()),
  play: () => listening.playAudio(pick(listeners), audioId(), `192.0.2.${whole(200)}`),
  progress: () => listening.saveProgress(pick(listeners).id, audioId(), whole(50)),
};

/** Counts and lists that triggers keep and that differ from the rows they come from. */
async function wrongCounts(): Promise<unknown[]> {
  await library.recountPlaylists();
  const { rows } = await db.execute(sql`
    select 'favorites' as kept, audio_id as id from audio_counts c
      where favorites <> (select count(*) from audio_favorites f where f.content_id = c.audio_id)
    union all select 'comments', audio_id from audio_counts c where comments <> (
      select count(*) from comments m where m.audio_id = c.audio_id and m.text is not null and m.removed_at is null
        and not m.is_author_suspended and m.hidden_at is null)
    union all select 'user playlist', user_playlist_id from user_playlist_counts c where audios <> (
      select count(*) from user_playlist_items i join audios a on a.id = i.audio_id
      where i.user_playlist_id = c.user_playlist_id and a.published_at is not null)
    union all select 'playlist', playlist_id from playlist_counts c
      where audios <> (select count(*) from playlist_items i where i.playlist_id = c.playlist_id)
    union all select 'creator of a playlist', playlist_id from playlist_voices k full join (
      select a.voice_id, i.playlist_id, min(a.published_at) as published_at
      from playlist_items i join audios a on a.id = i.audio_id where a.published_at is not null group by 1, 2) l
      using (voice_id, playlist_id) where k.published_at is distinct from l.published_at
    union all select 'creator of plays', audio_id from audio_counts c
      where voice_id <> (select voice_id from audios a where a.id = c.audio_id)
    union all select 'list', coalesce(k.audio_id, l.audio_id) from audio_list_keys k full join (
      select a.id as audio_id, filed.list_id, a.published_at, a.sort_title, a.duration_ms from audios a join (
        select audio_id, category_id as list_id from audio_categories
        union all select audio_id, tag_id from audio_tags
        union all select id, language_list(language) from audios) filed on filed.audio_id = a.id
      where a.published_at is not null) l on l.audio_id = k.audio_id and l.list_id = k.list_id
      where (k.published_at, k.sort_title, k.duration_ms) is distinct from (l.published_at, l.sort_title, l.duration_ms)`);
  return rows;
}

test('what listeners, creators and operators do at once is done or refused, and never fails', slow, async () => {
  const failures: string[] = [];
  const names = Object.keys(acts);
  let left = calls;
  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const name = pick(names);
      try {
        await acts[name]?.();
      } catch (error) {
        if (error instanceof DomainError) continue;
        const { cause = error } = error as { cause?: unknown };
        failures.push(`${name}: ${(cause as Error).message} ${(cause as { where?: string }).where ?? ''}`);
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  expect(failures).toEqual([]);
  expect(await wrongCounts()).toEqual([]);
});
