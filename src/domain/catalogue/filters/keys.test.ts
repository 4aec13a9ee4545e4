import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createVoice } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { siteSettings } from '../../settings/tables.ts';
import { deleteAudio, restoreAudio } from '../editing/deletion.ts';
import { editAudio } from '../editing/editing.ts';
import { publishAudio, unpublishAudio } from '../editing/publishing.ts';
import { voiceTypeLabels, voiceTypes } from '../rules.ts';
import { audioCategories, audioFilterKeys, audios, audioTags, categories, tags, voices } from '../tables.ts';
import {
  categoryKey,
  freeKey,
  languageKey,
  languageOf,
  lengthKeys,
  syntheticVoiceKeys,
  tagKey,
  tagNumberOf,
  voiceTypeKeys,
} from './keys.ts';
import { audioLengths, lengthClasses } from './rules.ts';

const { db } = await createTestDatabase();

/** The rows as they have to be, from the rows of audios. */
async function rightRows() {
  const [all, ofTags, ofCategories, preview] = [
    await db.select().from(audios).innerJoin(voices, eq(voices.id, audios.voiceId)),
    await db.select().from(audioTags).innerJoin(tags, eq(tags.id, audioTags.tagId)),
    await db.select().from(audioCategories).innerJoin(categories, eq(categories.id, audioCategories.categoryId)),
    await db.select().from(siteSettings).where(eq(siteSettings.key, 'preview')),
  ];
  const previewId = (preview[0]?.value as { audioId?: string } | undefined)?.audioId;
  return all.map(({ audios: audio, voices: voice }) => {
    const voiceType = voiceTypes.find((type) => voiceTypeLabels[type] === voice.voiceTypeLabel);
    const length = audioLengths.findLast((name) => audio.durationMs >= lengthClasses[name][0] * 60_000);
    const keys = [
      ...ofTags.flatMap((one) => (one.audio_tags.audioId === audio.id ? tagKey(one.tags.number) : [])),
      ...ofCategories.flatMap((one) =>
        one.audio_categories.audioId === audio.id ? categoryKey(one.categories.number) : [],
      ),
      ...(audio.isFree || audio.id === previewId ? [freeKey] : []),
      syntheticVoiceKeys[audio.syntheticVoice],
      ...(length === undefined ? [] : [lengthKeys[length]]),
      ...(voiceType === undefined ? [] : [voiceTypeKeys[voiceType]]),
      languageKey(audio.language.split('-')[0] ?? ''),
    ];
    const { id: audioId, publishedAt, sortTitle, durationMs } = audio;
    return { audioId, publishedAt, sortTitle, durationMs, keys: keys.toSorted((a, b) => a - b) };
  });
}

async function expectRightKeys(after: string): Promise<void> {
  const kept = (await db.select().from(audioFilterKeys)).map((row) => ({
    ...row,
    keys: row.keys.toSorted((a, b) => a - b),
  }));
  const byId = (a: { audioId: string }, b: { audioId: string }) => (a.audioId < b.audioId ? -1 : 1);
  expect(kept.toSorted(byId), after).toEqual((await rightRows()).toSorted(byId));
}

const category = await createCategory(db);
const other = await createCategory(db);
const voice = await createVoice(db);
const make = { voiceId: voice.id, categoryIds: [category.id], tagLabels: ['Rain', 'Night'] };

test('every change of audios, categories, tags, creators and the preview changes their keys', async () => {
  const first = await createAudio(db, { title: 'First', ...make });
  const draft = await createAudio(db, { title: 'Draft', publishedAt: null, isFree: true, ...make });
  await createAudio(db, { title: 'Scheduled', publishedAt: new Date(Date.now() + 60_000), ...make });
  await expectRightKeys('made');
  const edit = { title: 'Renamed', tags: ['Night', 'Sea'], categories: [other.slug] };
  expect(await editAudio(db, first.id, edit)).toMatchObject({ ok: true });
  await expectRightKeys('edited');
  for (const act of [publishAudio, deleteAudio, restoreAudio]) {
    await act(db, draft.id);
    await expectRightKeys(act.name);
  }
  await unpublishAudio(db, first.id);
  await expectRightKeys('unpublished');
  const change = (values: Partial<typeof audios.$inferInsert>) =>
    db.update(audios).set(values).where(eq(audios.id, first.id));
  const man = await createVoice(db, { voiceTypeLabel: 'Male voice' });
  const changes: Parameters<typeof change>[0][] = [
    { language: 'pt-BR' },
    { language: 'zxx', isFree: true },
    { syntheticVoice: 'partly' },
    { syntheticVoice: 'wholly', durationMs: 600_000 },
    { durationMs: 1_199_999 },
    { durationMs: 1_200_000, publishedAt: new Date() },
    { durationMs: 2_400_000, voiceId: man.id },
    { voiceId: voice.id },
  ];
  for (const values of changes) {
    await change(values);
    await expectRightKeys(JSON.stringify(values));
  }
  for (const voiceTypeLabel of ['Male voice', 'Non-binary voice', 'A choir']) {
    await db.update(voices).set({ voiceTypeLabel }).where(eq(voices.id, voice.id));
    await expectRightKeys(voiceTypeLabel);
  }
  await db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, voice.id));
  await expectRightKeys('creator hidden');
  await db.update(voices).set({ hiddenAt: null }).where(eq(voices.id, voice.id));
  await db.insert(siteSettings).values({ key: 'preview', value: { audioId: first.id } });
  await expectRightKeys('preview chosen');
  await db.update(siteSettings).set({ value: { audioId: draft.id } });
  await expectRightKeys('another preview');
  await db.update(siteSettings).set({ value: { audioId: null } });
  await expectRightKeys('no preview');
  const [rain] = await db.select().from(tags).where(eq(tags.slug, 'rain'));
  const [sea] = await db.select().from(tags).where(eq(tags.slug, 'sea'));
  if (rain === undefined || sea === undefined) throw new Error('a tag is missing');
  await db.update(audioTags).set({ tagId: rain.id }).where(eq(audioTags.tagId, sea.id));
  await expectRightKeys('tag replaced');
  await db.update(audioCategories).set({ categoryId: other.id }).where(eq(audioCategories.categoryId, category.id));
  await expectRightKeys('category replaced');
  await db.delete(tags).where(eq(tags.id, rain.id));
  await expectRightKeys('tag deleted');
  await db.delete(categories).where(eq(categories.id, other.id));
  await expectRightKeys('category deleted');
  await db.delete(audios).where(eq(audios.id, draft.id));
  await expectRightKeys('audio purged');
});

/** A query, which runs when told to. */
type Change = { execute(): Promise<unknown> };

test('of two changes of one audio at a time the second keeps what the first has changed', async () => {
  const audio = await createAudio(db, make);
  const tagIds = [newId(), newId()];
  for (const id of tagIds) await db.insert(tags).values({ id, slug: id, label: id });
  const addTag = (at: number) => (tx: Db) =>
    tx.insert(audioTags).values({ audioId: audio.id, tagId: tagIds[at] ?? '' });
  const speak = (tx: Db) => tx.update(audios).set({ language: 'fr' }).where(eq(audios.id, audio.id));
  const removeTag = (tx: Db) => tx.delete(audioTags).where(eq(audioTags.tagId, tagIds[0] ?? ''));
  const removeOther = (tx: Db) => tx.delete(audioTags).where(eq(audioTags.tagId, tagIds[1] ?? ''));
  const pairs: [string, (tx: Db) => Change, (tx: Db) => Change][] = [
    ['two tags', addTag(0), addTag(1)],
    ['a tag less, and a language', removeTag, speak],
    ['a language, and a tag less', (tx) => tx.update(audios).set({ language: 'de' }), removeOther],
  ];
  for (const [name, first, second] of pairs) {
    await meanwhile(
      db,
      (tx) => first(tx).execute(),
      () => second(db).execute(),
    );
    await expectRightKeys(name);
  }
});

test('a draft that is added or moves while its creator changes has their kind of voice', async () => {
  const [from, to] = [await createVoice(db), await createVoice(db)];
  const setType = (voiceId: string, voiceTypeLabel: string) => (tx: Db) =>
    tx.update(voices).set({ voiceTypeLabel }).where(eq(voices.id, voiceId)).execute();
  const draft = { voiceId: from.id, publishedAt: null };
  const { id } = await createAudio(db, draft);
  const move = (tx: Db) => tx.update(audios).set({ voiceId: to.id }).where(eq(audios.id, id)).execute();
  const back = (tx: Db) => tx.update(audios).set({ voiceId: from.id }).where(eq(audios.id, id)).execute();
  const pairs: [string, (tx: Db) => Promise<unknown>, (tx: Db) => Promise<unknown>][] = [
    ['added', setType(from.id, 'Male voice'), () => createAudio(db, draft)],
    ['moved to the changed one', setType(to.id, 'Male voice'), move],
    ['moved to one that changes then', back, setType(from.id, 'Non-binary voice')],
    ['moved from one that changes then', move, setType(from.id, 'Female voice')],
  ];
  for (const [name, first, second] of pairs) {
    await meanwhile(db, first, () => second(db));
    await expectRightKeys(name);
  }
});

test('what changes while the migration comes to an audio is not lost', async () => {
  const { id } = await createAudio(db, make);
  await db.delete(audioFilterKeys).where(eq(audioFilterKeys.audioId, id));
  await meanwhile(
    db,
    (tx) => tx.update(audios).set({ publishedAt: null, sortTitle: 'later' }).where(eq(audios.id, id)).execute(),
    () => db.execute(sql`select keep_filter_keys(array[${id}::uuid])`),
  );
  await expectRightKeys('changed meanwhile');
});

test('the database and the site give the same numbers', async () => {
  for (const language of ['en', 'de', 'zz', 'aa', 'fil', 'zxx', 'zh-Hant']) {
    const { rows } = await db.execute<{ key: number }>(sql`select language_filter_key(${language}) as key`);
    const [primary = ''] = language.split('-');
    expect(rows, language).toEqual([{ key: languageKey(primary) }]);
    expect(languageOf(languageKey(primary)), language).toBe(primary === 'zxx' ? undefined : primary);
  }
  const others = [freeKey, ...Object.values(voiceTypeKeys), ...Object.values(lengthKeys), categoryKey(7)];
  expect(others.map(languageOf).filter((one) => one !== undefined)).toEqual([]);
  expect([tagNumberOf(tagKey(7)), ...others.map(tagNumberOf)]).toEqual([7, ...others.map(() => undefined)]);
});
