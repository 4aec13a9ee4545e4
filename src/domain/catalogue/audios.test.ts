import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createPlaylist, createSeries, createVoice } from '#test/support/factories.ts';
import type { Db } from '../kernel/db.ts';
import { visitor } from '../kernel/viewer.ts';
import { findAudio, findAudiosByIds } from './audios.ts';
import { type AudioListQuery, listAudios, listMostPlayedOfVoice, sumAudios } from './audio-lists.ts';
import { audioSorts } from './forms.ts';
import { listPlaylistAudios } from './playlists.ts';
import { listSeriesAudios } from './series.ts';
import { setPreview } from './site-settings.ts';
import { audios } from './tables.ts';

const { db } = await createTestDatabase();

/** Runs each test in a transaction that is rolled back. */
async function rolledBack(run: (tx: Db) => Promise<void>): Promise<void> {
  class Undo extends Error {}
  await db
    .transaction(async (tx) => {
      await run(tx);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
}

async function readAll(tx: Db, query: Omit<AudioListQuery, 'limit' | 'cursor'>, limit: number): Promise<string[]> {
  const slugs: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudios(tx, visitor, { ...query, limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    slugs.push(...page.items.map((item) => item.slug));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return slugs;
}

describe('listing audios', () => {
  test('drafts and scheduled audios are in no list and cannot be looked up', () =>
    rolledBack(async (tx) => {
      await createAudio(tx, { slug: 'draft', publishedAt: null });
      const later = await createAudio(tx, { slug: 'later', publishedAt: new Date(Date.now() + 3_600_000) });
      await createAudio(tx, { slug: 'out' });
      expect(await readAll(tx, {}, 10)).toEqual(['out']);
      expect(await findAudio(tx, 'draft')).toBeUndefined();
      expect(await findAudio(tx, later.id)).toBeUndefined();
      expect(await findAudiosByIds(tx, [later.id])).toEqual([]);
    }));

  test.each(audioSorts)('pages of any size give every audio once, sorted by %s, also where values are equal', (sort) =>
    rolledBack(async (tx) => {
      const voice = await createVoice(tx);
      const day = Date.now() - 86_400_000;
      for (let index = 0; index < 11; index += 1) {
        const group = Math.floor(index / 3);
        await createAudio(tx, {
          voiceId: voice.id,
          title: `Title ${group}`,
          slug: `audio-${index}`,
          sortTitle: `title ${group}`,
          publishedAt: new Date(day + group * 1000),
          durationMs: 1000 + group,
          plays: group,
        });
      }
      const whole = await readAll(tx, { sort }, 50);
      expect(new Set(whole).size).toBe(11);
      for (const limit of [1, 2, 4]) expect(await readAll(tx, { sort }, limit)).toEqual(whole);
    }),
  );

  test('each sort order matches its name', () =>
    rolledBack(async (tx) => {
      const time = Date.now() - 86_400_000;
      await createAudio(tx, {
        slug: 'a',
        title: 'The Balcony',
        publishedAt: new Date(time),
        durationMs: 3000,
        plays: 5,
      });
      await createAudio(tx, { slug: 'b', title: 'Élan', publishedAt: new Date(time + 1), durationMs: 1000, plays: 9 });
      await createAudio(tx, {
        slug: 'c',
        title: 'Zenith',
        publishedAt: new Date(time + 2),
        durationMs: 2000,
        plays: 7,
      });
      const by = (sort: (typeof audioSorts)[number]) => readAll(tx, { sort }, 2);
      expect(await by('recent')).toEqual(['c', 'b', 'a']);
      expect(await by('oldest')).toEqual(['a', 'b', 'c']);
      expect(await by('popular')).toEqual(['b', 'c', 'a']);
      expect(await by('title')).toEqual(['b', 'a', 'c']);
      expect(await by('shortest')).toEqual(['b', 'c', 'a']);
      expect(await by('longest')).toEqual(['a', 'c', 'b']);
    }));

  test('filters narrow by tag, voice type, length, free, category and voice', () =>
    rolledBack(async (tx) => {
      const sleep = await createCategory(tx, { label: 'Sleep' });
      const man = await createVoice(tx, { voiceTypeLabel: 'Male voice' });
      await createAudio(tx, { slug: 'rainy', tagLabels: ['with rain'], categoryIds: [sleep.id], durationMs: 700_000 });
      await createAudio(tx, { slug: 'low', voiceId: man.id, durationMs: 599_000 });
      await createAudio(tx, { slug: 'open', isFree: true, durationMs: 600_000 });
      expect(await readAll(tx, { filter: { tag: ['with-rain'] } }, 5)).toEqual(['rainy']);
      expect(await readAll(tx, { filter: { voiceType: ['male'] } }, 5)).toEqual(['low']);
      expect(await readAll(tx, { filter: { shorterThan: 600 } }, 5)).toEqual(['low']);
      await tx.update(audios).set({ syntheticVoice: 'wholly' }).where(eq(audios.slug, 'open'));
      expect(await readAll(tx, { filter: { syntheticVoice: 'wholly' } }, 5)).toEqual(['open']);
      expect(await readAll(tx, { filter: { syntheticVoice: 'none', free: 'true' } }, 5)).toEqual([]);
      expect(await readAll(tx, { filter: { free: 'true' } }, 5)).toEqual(['open']);
      expect(await readAll(tx, { categoryId: sleep.id }, 5)).toEqual(['rainy']);
      expect(await readAll(tx, { voiceId: man.id }, 5)).toEqual(['low']);
      expect(await sumAudios(tx, visitor, { categoryId: sleep.id })).toEqual({ total: 1, seconds: 700, plays: 0 });
    }));

  test.each(['한', '힣', '𠀀', 'ﷺ'])('pages go on after a title of 200 %s', (letter) =>
    rolledBack(async (tx) => {
      for (const slug of ['a', 'b']) await createAudio(tx, { slug, title: letter.repeat(200) });
      expect(await readAll(tx, { sort: 'title' }, 1)).toEqual(['a', 'b']);
    }),
  );

  test('cursors of another order, modified cursors and forged cursors are refused with a code', () =>
    rolledBack(async (tx) => {
      await createAudio(tx);
      await createAudio(tx);
      const { nextCursor } = await listAudios(tx, visitor, { limit: 1 });
      expect(nextCursor).toBeDefined();
      const forged = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
      const id = '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b';
      await expect(listAudios(tx, visitor, { limit: 1, sort: 'title', cursor: nextCursor })).rejects.toMatchObject({
        code: 'request/bad-cursor',
      });
      for (const cursor of [
        '',
        'x',
        `${nextCursor}x`.slice(3),
        forged(['audios.recent', 'yesterday', id]),
        forged(['audios.recent', -1, id]),
        forged({}),
        forged(['audios.recent', '2026-01-01T00:00:00.000Z', "'; --"]),
      ]) {
        await expect(listAudios(tx, visitor, { limit: 1, cursor })).rejects.toMatchObject({
          code: 'request/bad-cursor',
        });
      }
      await expect(
        listAudios(tx, visitor, { limit: 1, sort: 'title', cursor: forged(['audios.title', 'a\0b', id]) }),
      ).rejects.toMatchObject({ code: 'request/bad-cursor' });
    }));
});

test('an audio has every field of the specification', () =>
  rolledBack(async (tx) => {
    const category = await createCategory(tx, { label: 'Rain & hush' });
    const voice = await createVoice(tx, { name: 'Noor Azadi', imageKey: 'images/noor.webp' });
    await createAudio(tx, {
      slug: 'crimson-petal',
      title: 'Now Sleeps the Crimson Petal',
      voiceId: voice.id,
      categoryIds: [category.id],
      tagLabels: ['tennyson'],
      durationMs: 643_250,
      plays: 72_018,
      imageKey: 'images/petal.webp',
      color: '#A33D4E',
      badge: 'New',
      publishedAt: new Date('2026-11-01T20:00:00.123Z'),
      cues: [{ start: 0, end: 1, text: 'Now sleeps' }],
    });
    const audio = await findAudio(tx, 'crimson-petal');
    expect(audio).toMatchObject({
      title: 'Now Sleeps the Crimson Petal',
      imageUrl: '/images/petal.webp',
      audioFileUrl: `/media/audios/${audio?.id}`,
      numberDuration: 643.25,
      plays: 72_018,
      color: '#A33D4E',
      badge: 'New',
      commentsDisabled: false,
      isFree: false,
      voice: {
        id: voice.id,
        name: 'Noor Azadi',
        slug: 'noor-azadi',
        imageUrl: '/images/noor.webp',
        linkedSeries: null,
      },
      voiceTypeLabel: 'Female voice',
      categories: [{ id: category.id, slug: 'rain-hush', label: 'Rain & hush' }],
      categoriesResource: [{ name: 'Rain & hush' }],
      publishedAt: '2026-11-01T20:00:00.123Z',
      totalComments: 0,
      totalFavorite: 0,
      tags: [{ slug: 'tennyson', label: 'tennyson' }],
      contentNotes: [],
      hasTranscript: true,
    });
  }));

test('the preview counts as free without being marked as free', () =>
  rolledBack(async (tx) => {
    const audio = await createAudio(tx);
    expect((await findAudio(tx, audio.slug))?.isFree).toBe(false);
    await setPreview(tx, audio.id);
    expect((await findAudio(tx, audio.slug))?.isFree).toBe(true);
  }));

test('the most played audios of a voice are four that are out, and an audio takes its plays to another voice', () =>
  rolledBack(async (tx) => {
    const [voice, other] = [await createVoice(tx), await createVoice(tx)];
    for (const plays of [1, 5, 3, 2, 4])
      await createAudio(tx, {
        slug: `of-${plays}`,
        voiceId: voice.id,
        plays,
        publishedAt: plays === 4 ? null : new Date(0),
      });
    await createAudio(tx, { slug: 'moved', voiceId: other.id, plays: 9 });
    const mostPlayed = async (voiceId: string) =>
      (await listMostPlayedOfVoice(tx, visitor, voiceId)).map(({ slug }) => slug);
    expect(await mostPlayed(voice.id)).toEqual(['of-5', 'of-3', 'of-2', 'of-1']);
    await tx.update(audios).set({ voiceId: voice.id }).where(eq(audios.slug, 'moved'));
    expect(await mostPlayed(voice.id)).toEqual(['moved', 'of-5', 'of-3', 'of-2']);
    expect(await mostPlayed(other.id)).toEqual([]);
    expect(await readAll(tx, { voiceId: voice.id, sort: 'popular' }, 2)).toEqual([
      'moved',
      'of-5',
      'of-3',
      'of-2',
      'of-1',
    ]);
  }));

test('playlists and series keep their own order across pages and skip unpublished audios', () =>
  rolledBack(async (tx) => {
    const list: Awaited<ReturnType<typeof createAudio>>[] = [];
    for (let index = 0; index < 5; index += 1)
      list.push(await createAudio(tx, { publishedAt: index === 2 ? null : new Date(Date.now() - 1000 * (index + 1)) }));
    const audioIds = list.map((one) => one.id).toReversed();
    const playlist = await createPlaylist(tx, { audioIds });
    const series = await createSeries(tx, { audioIds });
    const expected = audioIds.filter((id) => id !== list[2]?.id);
    for (const read of [
      (cursor?: string) => listPlaylistAudios(tx, visitor, playlist.id, { limit: 3, cursor }),
      (cursor?: string) => listSeriesAudios(tx, visitor, series.id, { limit: 3, cursor }),
    ]) {
      const first = await read();
      const second = await read(first.nextCursor);
      expect([...first.items, ...second.items].map((one) => one.id)).toEqual(expected);
      expect(second.nextCursor).toBeUndefined();
    }
  }));

test.each([
  ['a slug with capitals', { slug: 'Loud' }],
  ['a colour that is none', { color: 'red' }],
  ['a sound without length', { durationMs: 0 }],
  ['a file that is no sound', { fileMime: 'text/html' }],
  ['an empty title', { title: '', slug: 'x' }],
])('the database itself refuses %s', (_name, overrides) =>
  rolledBack(async (tx) => {
    await expect(createAudio(tx, overrides)).rejects.toMatchObject({ cause: { code: '23514' } });
  }),
);

test('a slug belongs to one audio only, and a voice with audios cannot be deleted', () =>
  rolledBack(async (tx) => {
    const audio = await createAudio(tx, { slug: 'once' });
    const again = tx.transaction((inner) => createAudio(inner, { slug: 'once' }));
    await expect(again).rejects.toMatchObject({ cause: { code: '23505' } });
    await expect(tx.execute(sql`delete from voices where id = ${audio.voiceId}`)).rejects.toMatchObject({
      cause: { code: '23001' },
    });
  }));
