import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { setPreview } from '#domain/catalogue/site-settings.ts';
import {
  audioCategories,
  audioCounts,
  audios,
  audioTags,
  categories,
  playlistItems,
  playlists,
  series,
  seriesItems,
  siteSettings,
  tags,
  transcripts,
  voiceCounts,
  voices,
} from '#domain/catalogue/tables.ts';
import { comments } from '#domain/community/tables.ts';
import type { Db } from '#domain/db.ts';
import type { Blobs } from '#domain/gateways.ts';
import { newId, newIdAt, sortKey, toSlug } from '#domain/ids.ts';
import { users } from '#domain/identity/tables.ts';
import { playlistBackgrounds, playlistFonts } from '#domain/library/rules.ts';
import { userPlaylistCounts, userPlaylistItems, userPlaylists } from '#domain/library/tables.ts';
import { publishDemoArticles, readDemoArticles } from './demo-articles.ts';

const Slug = z.string();

/** `hours`: how long ago it was written. */
const DemoComment = z.object({ user: z.string(), hours: z.number().positive(), text: z.string() });

const DemoCatalogue = z.object({
  voices: z.array(
    z.object({
      slug: Slug,
      name: z.string(),
      voiceTypeLabel: z.string(),
      category: Slug,
      color: z.string(),
      bio: z.string(),
      linkedSeries: Slug.optional(),
    }),
  ),
  categories: z.array(z.object({ slug: Slug, label: z.string(), description: z.string(), color: z.string() })),
  series: z.array(
    z.object({
      slug: Slug,
      title: z.string(),
      description: z.string(),
      voice: Slug,
      color: z.string(),
      audios: z.array(Slug),
    }),
  ),
  audios: z.array(
    z.object({
      slug: Slug,
      title: z.string(),
      voice: Slug,
      description: z.string(),
      color: z.string(),
      badge: z.string().optional(),
      free: z.boolean().default(false),
      commentsDisabled: z.boolean().default(false),
      categories: z.array(Slug),
      tags: z.array(z.string()),
      transcript: z.boolean(),
    }),
  ),
  playlists: z.array(z.object({ slug: Slug, title: z.string(), description: z.string(), audios: z.array(Slug) })),
  users: z.array(z.object({ username: z.string(), color: z.number().int() })),
  userPlaylists: z.array(
    z.object({
      title: z.string(),
      user: z.string(),
      background: z.enum(playlistBackgrounds),
      font: z.enum(playlistFonts),
      public: z.boolean(),
      audios: z.array(Slug),
    }),
  ),
  comments: z.array(DemoComment.extend({ audio: Slug, replies: z.array(DemoComment).default([]) })),
  preview: Slug,
});

const Recordings = z.record(
  Slug,
  z.object({
    file: z.string(),
    mime: z.string(),
    seconds: z.number(),
    bytes: z.number().int(),
    cues: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
  }),
);

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const seed = 1609;

/**
 * Fills an empty site with the demo catalogue, all or nothing: files first, whose keys say their content, then every row
 * in one transaction. Broken off anywhere, the next start does it again.
 * @param now the newest audio came out the day before
 * @returns whether it was loaded now
 */
export async function loadDemo(options: { db: Db; blobs: Blobs; demoDir: string; now: Date }): Promise<boolean> {
  const { db, blobs, demoDir, now } = options;
  const [state] = await db
    .select({
      filled: sql<boolean>`exists (select from audios) or exists (select from site_settings where key = 'demo')`,
    })
    .from(sql`(select) as nothing`);
  if (state?.filled !== false) return false;

  const catalogue = DemoCatalogue.parse(JSON.parse(await readFile(join(demoDir, 'catalogue.json'), 'utf8')));
  const recordings = Recordings.parse(JSON.parse(await readFile(join(demoDir, 'recordings.json'), 'utf8')));

  const articles = await readDemoArticles(demoDir);

  const keep = (folder: 'audio' | 'images', file: string) => keepFile(blobs, folder, join(demoDir, file));
  const fileKeys = new Map<string, string>();
  for (const { slug } of catalogue.audios) fileKeys.set(slug, await keep('audio', named(recordings, slug).file));
  const imageKeys = new Map<string, string>();
  const images = [
    ...catalogue.audios.map(({ slug }) => `audio-${slug}`),
    ...catalogue.voices.map(({ slug }) => `voice-${slug}`),
    ...catalogue.categories.map(({ slug }) => `category-${slug}`),
    ...catalogue.series.map(({ slug }) => `series-${slug}`),
    ...articles.map(({ slug }) => `article-${slug}`),
  ];
  for (const image of images) imageKeys.set(image, await keep('images', `images/${image}.webp`));

  const random = seededRandom(seed);
  const ids = new Map<string, string>();
  const idOf = (kind: string, slug: string): string => {
    const key = `${kind} ${slug}`;
    const id = ids.get(key) ?? newId();
    ids.set(key, id);
    return id;
  };

  await db.transaction(async (tx) => {
    await tx.insert(categories).values(
      catalogue.categories.map(({ slug, label, description, color }, position) => ({
        id: idOf('category', slug),
        slug,
        label,
        description,
        color,
        position,
        imageKey: imageKeys.get(`category-${slug}`) ?? null,
      })),
    );
    await tx.insert(voices).values(
      catalogue.voices.map(({ slug, name, voiceTypeLabel, bio, color, category }) => ({
        id: idOf('voice', slug),
        slug,
        name,
        sortName: sortKey(name),
        voiceTypeLabel,
        bio,
        color,
        categoryId: idOf('category', category),
        imageKey: imageKeys.get(`voice-${slug}`) ?? null,
      })),
    );
    await tx.insert(voiceCounts).values(
      catalogue.voices.map(({ slug }) => ({
        voiceId: idOf('voice', slug),
        favorites: Math.round(2500 + random() * 20_000),
      })),
    );

    // The newest stand last in the catalogue's "New" badge order: badges first, then by a shuffled calendar.
    const order = shuffled(catalogue.audios, random).sort(
      (a, b) => Number(b.badge !== undefined) - Number(a.badge !== undefined),
    );
    const published = new Map(
      order.map(({ slug }, index) => [
        slug,
        new Date(now.getTime() - day * (1 + index * 6.3 + random() * 4) - random() * day * 0.6),
      ]),
    );
    await tx.insert(audios).values(
      catalogue.audios.map(({ slug, title, voice, description, color, badge, free, commentsDisabled }) => {
        const recording = named(recordings, slug);
        return {
          id: idOf('audio', slug),
          slug,
          title,
          sortTitle: sortKey(title),
          description,
          voiceId: idOf('voice', voice),
          imageKey: imageKeys.get(`audio-${slug}`) ?? null,
          color,
          badge: badge ?? null,
          commentsDisabled,
          isFree: free,
          fileKey: named(Object.fromEntries(fileKeys), slug),
          fileMime: recording.mime,
          fileBytes: recording.bytes,
          durationMs: Math.round(recording.seconds * 1000),
          publishedAt: published.get(slug) ?? now,
        };
      }),
    );
    for (const { slug } of catalogue.audios) {
      const age = (now.getTime() - (published.get(slug) ?? now).getTime()) / day;
      // A long tail, steeper for what has been there longer; every number looks counted, none looks made.
      const plays = Math.round((900 + 110_000 * random() ** 3.2) * Math.min(1, 0.08 + age / 160) + random() * 97);
      await tx
        .update(audioCounts)
        .set({ plays, favorites: Math.round(plays * (0.02 + random() * 0.05)) })
        .where(sql`${audioCounts.audioId} = ${idOf('audio', slug)}`);
    }
    await tx.insert(audioCategories).values(
      catalogue.audios.flatMap((audio) =>
        audio.categories.map((category, position) => ({
          audioId: idOf('audio', audio.slug),
          categoryId: idOf('category', category),
          position,
        })),
      ),
    );
    const labels = [...new Set(catalogue.audios.flatMap((audio) => audio.tags))];
    await tx.insert(tags).values(labels.map((label) => ({ id: idOf('tag', label), slug: toSlug(label), label })));
    await tx
      .insert(audioTags)
      .values(
        catalogue.audios.flatMap((audio) =>
          [...new Set(audio.tags)].map((label) => ({ audioId: idOf('audio', audio.slug), tagId: idOf('tag', label) })),
        ),
      );
    const spoken = catalogue.audios.filter(
      (audio) => audio.transcript && named(recordings, audio.slug).cues.length > 0,
    );
    await tx
      .insert(transcripts)
      .values(spoken.map(({ slug }) => ({ audioId: idOf('audio', slug), cues: named(recordings, slug).cues })));

    await tx.insert(series).values(
      catalogue.series.map(({ slug, title, description, voice, color }) => ({
        id: idOf('series', slug),
        slug,
        title,
        sortTitle: sortKey(title),
        description,
        voiceId: idOf('voice', voice),
        color,
        imageKey: imageKeys.get(`series-${slug}`) ?? null,
      })),
    );
    await tx.insert(seriesItems).values(
      catalogue.series.flatMap((one) =>
        one.audios.map((slug, position) => ({
          seriesId: idOf('series', one.slug),
          audioId: idOf('audio', slug),
          position,
        })),
      ),
    );
    for (const { slug, linkedSeries } of catalogue.voices) {
      if (linkedSeries === undefined) continue;
      await tx
        .update(voices)
        .set({ linkedSeriesId: idOf('series', linkedSeries) })
        .where(sql`${voices.id} = ${idOf('voice', slug)}`);
    }

    await tx.insert(playlists).values(
      catalogue.playlists.map(({ slug, title, description }, position) => ({
        id: idOf('playlist', slug),
        slug,
        title,
        description,
        position,
      })),
    );
    await tx.insert(playlistItems).values(
      catalogue.playlists.flatMap((playlist) =>
        playlist.audios.map((slug, position) => ({
          playlistId: idOf('playlist', playlist.slug),
          audioId: idOf('audio', slug),
          position,
        })),
      ),
    );

    await tx
      .insert(users)
      .values(catalogue.users.map(({ username, color }) => ({ id: idOf('user', username), username, color })));
    await tx.insert(userPlaylists).values(
      catalogue.userPlaylists.map((playlist) => ({
        id: idOf('user playlist', playlist.title),
        userId: idOf('user', playlist.user),
        title: playlist.title,
        background: playlist.background,
        font: playlist.font,
        isPublic: playlist.public,
      })),
    );
    await tx.insert(userPlaylistItems).values(
      catalogue.userPlaylists.flatMap((playlist) =>
        playlist.audios.map((slug, position) => ({
          userPlaylistId: idOf('user playlist', playlist.title),
          audioId: idOf('audio', slug),
          position,
        })),
      ),
    );
    for (const [index, { title }] of catalogue.userPlaylists.entries()) {
      await tx
        .update(userPlaylistCounts)
        .set({ plays: Math.round((3400 / (1 + index * 0.35)) * (0.9 + random() * 0.2)) })
        .where(sql`${userPlaylistCounts.userPlaylistId} = ${idOf('user playlist', title)}`);
    }

    const comment = ({ user, hours, text }: z.infer<typeof DemoComment>, audio: string, parentId: string | null) => {
      const age = (now.getTime() - named(Object.fromEntries(published), audio).getTime()) / hour;
      // Never before its audio, and a reply never before what it answers.
      const createdAt = new Date(now.getTime() - (hours < age ? hours : (age * hours) / (hours + age)) * hour);
      const id = newIdAt(createdAt);
      return { id, audioId: idOf('audio', audio), parentId, userId: idOf('user', user), text, createdAt };
    };
    const threads = catalogue.comments.map(({ audio, replies, ...top }) => {
      const first = comment(top, audio, null);
      return { first, replies: replies.map((reply) => comment(reply, audio, first.id)) };
    });
    await tx.insert(comments).values(threads.map(({ first }) => first));
    await tx.insert(comments).values(threads.flatMap(({ replies }) => replies));

    await publishDemoArticles(tx, articles, { imageKeys, now });
    await setPreview(tx, idOf('audio', catalogue.preview));
    await tx.insert(siteSettings).values({ key: 'demo', value: { seed } });
  });
  // Fresh statistics, so that the first visitors do not get the plans of an empty database.
  await db.execute(sql`analyze`);
  return true;
}

function named<Value>(record: Record<string, Value>, slug: string): Value {
  const value = record[slug];
  if (value === undefined) throw new Error(`The demo has no recording of ${slug}`);
  return value;
}

/** @returns the key, which is the content's own hash: copying again changes nothing */
async function keepFile(blobs: Blobs, folder: string, path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  const key = `${folder}/${hash.digest('hex').slice(0, 20)}${extname(path)}`;
  if ((await blobs.stat(key)) === undefined) await blobs.importFile(key, path);
  return key;
}

/** Mulberry32: small, fast, the same everywhere. */
function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffled<Item>(items: Item[], random: () => number): Item[] {
  const copy = [...items];
  for (let index = copy.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    const item = copy[index] as Item;
    copy[index] = copy[other] as Item;
    copy[other] = item;
  }
  return copy;
}
