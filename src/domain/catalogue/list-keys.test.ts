import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createVoice } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import type { Db } from '../kernel/db.ts';
import { newId, sortKey } from '../kernel/ids.ts';
import { visitor } from '../kernel/viewer.ts';
import { listAudios } from './audio-lists.ts';
import type { AudioSort } from './forms.ts';
import { deleteAudio, restoreAudio } from './editing/deletion.ts';
import { editAudio } from './editing/editing.ts';
import { languageListId } from './language-lists.ts';
import { publishAudio, unpublishAudio } from './editing/publishing.ts';
import { audioCounts, audios, audioTags, categories, tags, voices } from './tables.ts';

const { db } = await createTestDatabase();

type Row = { audio: string; list: string; time: Date; title: string; length: number; plays: string };

/** Rows of both tables, and those that the audios, categories, tags and counts make. */
async function readLists(): Promise<{ kept: Row[]; right: Row[] }> {
  const columns = sql`k.audio_id as audio, k.list_id as list, k.published_at as time, k.sort_title as title, k.duration_ms as length`;
  const kept = await db.execute<Row>(sql`
    select ${columns}, p.plays from audio_list_keys k full join audio_list_plays p using (audio_id, list_id) order by 1, 2`);
  const right = await db.execute<Row>(sql`
    select ${columns}, c.plays from (
      select a.id as audio_id, l.list_id, a.published_at, a.sort_title, a.duration_ms
      from audios a join (
        select audio_id, category_id as list_id from audio_categories union all select audio_id, tag_id from audio_tags
        union all select id, language_list(language) from audios) l
        on l.audio_id = a.id
      where a.published_at is not null) k join audio_counts c using (audio_id) order by 1, 2`);
  return { kept: kept.rows, right: right.rows };
}

async function expectRightLists(after: string): Promise<Row[]> {
  const { kept, right } = await readLists();
  expect(kept, after).toEqual(right);
  return kept;
}

const category = await createCategory(db);
const other = await createCategory(db);
const voice = await createVoice(db);
const make = { voiceId: voice.id, categoryIds: [category.id], tagLabels: ['Rain', 'Night'] };

test('every change of audios, categories and tags changes their lists', async () => {
  const first = await createAudio(db, { title: 'First', plays: 3, ...make });
  const draft = await createAudio(db, { title: 'Draft', publishedAt: null, ...make });
  await createAudio(db, { title: 'Scheduled', publishedAt: new Date(Date.now() + 60_000), ...make });
  expect(await expectRightLists('made')).toHaveLength(8);

  const edit = { title: 'Renamed', tags: ['Night', 'Sea'], categories: [other.slug] };
  expect(await editAudio(db, first.id, edit)).toMatchObject({ ok: true });
  expect((await expectRightLists('edited')).map(({ title }) => title)).toContain('renamed');
  await publishAudio(db, draft.id);
  expect(await expectRightLists('published')).toHaveLength(12);
  await unpublishAudio(db, first.id);
  expect(await expectRightLists('unpublished')).toHaveLength(8);
  await publishAudio(db, first.id);
  await deleteAudio(db, draft.id);
  await expectRightLists('deleted');
  await restoreAudio(db, draft.id);
  expect(await expectRightLists('restored')).toHaveLength(12);

  const inLanguage = (language: string) => db.update(audios).set({ language }).where(eq(audios.id, first.id));
  await inLanguage('pt-BR');
  expect((await expectRightLists('in another language')).map(({ list }) => list)).toContain(languageListId('pt'));
  await inLanguage('pt');
  await expectRightLists('in another region');
  await db.update(audios).set({ language: 'de', publishedAt: null }).where(eq(audios.id, first.id));
  await expectRightLists('in another language and unpublished');
  await publishAudio(db, first.id);

  await db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, voice.id));
  expect(await expectRightLists('creator hidden')).toHaveLength(0);
  await db.update(voices).set({ hiddenAt: null }).where(eq(voices.id, voice.id));
  expect(await expectRightLists('creator shown')).toHaveLength(12);

  await db.update(audios).set({ durationMs: sql`${audios.durationMs} + 1000` });
  await expectRightLists('all longer');
  const [rain] = await db.select().from(tags).where(eq(tags.slug, 'rain'));
  const [sea] = await db.select().from(tags).where(eq(tags.slug, 'sea'));
  const [night] = await db.select().from(tags).where(eq(tags.slug, 'night'));
  if (rain === undefined || sea === undefined || night === undefined) throw new Error('a tag is missing');
  await db.update(audioTags).set({ tagId: rain.id }).where(eq(audioTags.tagId, sea.id));
  await expectRightLists('tag replaced');
  await db.execute(sql`
    insert into audio_tags (audio_id, tag_id) select audio_id, ${night.id} from audio_tags where tag_id = ${rain.id}
    on conflict do nothing`);
  await db.delete(tags).where(eq(tags.id, rain.id));
  await expectRightLists('tags merged');
  await db.delete(categories).where(eq(categories.id, other.id));
  await expectRightLists('category deleted');
  await db.delete(audios).where(eq(audios.id, draft.id));
  await expectRightLists('audio purged');
});

/** A query, which runs when told to. */
type Change = { execute(): Promise<unknown> };

test.each(['tag first', 'audio first'])(
  'of two changes of one audio at a time the second sees the first: %s',
  async (order) => {
    const change = async (first: (tx: Db) => Change, second: (tx: Db) => Change) => {
      const [begin, end] = order === 'tag first' ? [first, second] : [second, first];
      await meanwhile(
        db,
        (tx) => begin(tx).execute(),
        () => end(db).execute(),
      );
    };
    const audio = await createAudio(db, make);
    const tagId = newId();
    await db.insert(tags).values({ id: tagId, slug: tagId, label: 'Late' });
    const ofTag = and(eq(audioTags.audioId, audio.id), eq(audioTags.tagId, tagId));
    await change(
      (tx) => tx.insert(audioTags).values({ audioId: audio.id, tagId }),
      (tx) => tx.update(audios).set({ publishedAt: null }).where(eq(audios.id, audio.id)),
    );
    expect((await expectRightLists('tagged and unpublished')).filter((row) => row.audio === audio.id)).toEqual([]);
    await change(
      (tx) => tx.delete(audioTags).where(ofTag),
      (tx) => tx.update(audios).set({ publishedAt: new Date() }).where(eq(audios.id, audio.id)),
    );
    expect((await expectRightLists('published, with a tag less')).filter((row) => row.audio === audio.id)).toHaveLength(
      4,
    );
  },
);

test('a play waits for no edit; the next one brings its lists up to date', async () => {
  const audio = await createAudio(db, { plays: 5, ...make });
  const play = () =>
    db
      .update(audioCounts)
      .set({ plays: sql`${audioCounts.plays} + 1` })
      .where(eq(audioCounts.audioId, audio.id));
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from audio_list_plays where audio_id = ${audio.id} for update`);
    await play();
  });
  await play();
  expect((await expectRightLists('played')).filter((row) => row.audio === audio.id).map(({ plays }) => plays)).toEqual([
    '7',
    '7',
    '7',
    '7',
  ]);
});

test('a list of a tag, or of a tag in a category, has the same pages in each order as all audios sorted by hand', async () => {
  const crowd = await createCategory(db);
  const made: { id: string; title: string; plays: number; seconds: number; time: number; isIn: boolean }[] = [];
  for (let n = 0; n < 30; n += 1) {
    const [title, plays, seconds] = [`Wave ${(n * 7) % 30}`, n % 4, 60 + (n % 5)];
    const publishedAt = new Date(Date.now() - (1 + (n % 6)) * 60_000);
    const isIn = n % 3 !== 0;
    const categoryIds = isIn ? [crowd.id] : [];
    const values = { title, plays, publishedAt, durationMs: seconds * 1000, categoryIds, tagLabels: ['Wave'] };
    const { id } = await createAudio(db, values);
    made.push({ id, title: sortKey(title), plays, seconds, time: publishedAt.getTime(), isIn });
  }
  await createAudio(db, { publishedAt: new Date(Date.now() + 60_000), tagLabels: ['Wave'], categoryIds: [crowd.id] });
  const keys: [AudioSort, 'time' | 'plays' | 'title' | 'seconds', 1 | -1][] = [
    ['recent', 'time', -1],
    ['oldest', 'time', 1],
    ['popular', 'plays', -1],
    ['title', 'title', 1],
    ['shortest', 'seconds', 1],
    ['longest', 'seconds', -1],
  ];
  for (const [sort, key, sign] of keys)
    for (const categoryId of [undefined, crowd.id]) {
      const compare = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0);
      const right = made
        .filter(({ isIn }) => isIn || categoryId === undefined)
        .toSorted((a, b) => compare(a[key], b[key]) || compare(a.id, b.id));
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { filter: { tag: ['wave'] }, sort, cursor, limit: 7, ...(categoryId && { categoryId }) };
        const page = await listAudios(db, visitor, query);
        found.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(found, `${sort} ${categoryId}`).toEqual(right.map(({ id }) => id));
    }
});
