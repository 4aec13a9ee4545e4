import { createHash } from 'node:crypto';
import { and, asc, eq, max, sql } from 'drizzle-orm';
import { publishedNow } from '../catalogue/publishing.ts';
import { claimSlug } from '../catalogue/slugs.ts';
import { audioCategories, audios, categories, series, seriesItems, voices } from '../catalogue/tables.ts';
import type { Db } from '../db.ts';
import type { AudioTags, Blobs, Covers, SoundFile } from '../gateways.ts';
import { newId, sortKey, toSlug } from '../ids.ts';

export type ImportTools = { db: Db; blobs: Blobs; audioTags: AudioTags; covers: Covers };

export type ImportChoices = {
  /** Slug or name; instead of the artist in the tags. */
  voice?: string | undefined;
  /** Of voices that are made on the way, such as `Female voice`. */
  voiceTypeLabel: string;
  /** Ids; instead of the genres in the tags. */
  categoryIds?: string[] | undefined;
  isFree: boolean;
  publish: boolean;
};

export type ImportedAudio = {
  slug: string;
  title: string;
  /** Seconds. */
  numberDuration: number;
  voice: { slug: string; name: string; isNew: boolean };
  series: { slug: string; title: string; isNew: boolean } | undefined;
  newCategories: string[];
  cover: 'kept' | 'none' | 'not-decodable';
  extension: SoundFile['extension'];
  bytes: number;
};

export type ImportResult =
  | { ok: true; audio: ImportedAudio }
  | { ok: false; reason: 'already-there'; slug: string }
  | { ok: false; reason: 'no-voice' }
  | { ok: false; reason: 'unreadable' | 'damaged' | 'not-playable'; detail: string };

const mostCategories = 8;

/**
 * Makes an audio of a sound file of this machine, by its tags. The file itself is kept first, under a name that says
 * its content, then every row in one transaction: broken off anywhere, doing it again mends it.
 * @param title what to call it when the file has no title of its own
 */
export async function importAudio(
  { db, blobs, audioTags, covers }: ImportTools,
  path: string,
  title: string,
  choices: ImportChoices,
): Promise<ImportResult> {
  const read = await audioTags.read(path);
  if (!read.ok) return read;
  const { file } = read;
  const tags = cleanTags(file, title);
  const fileKey = `audio/${file.sha256.slice(0, 20)}${file.extension}`;

  const existing = await findSame(db, fileKey, tags.title);
  if (existing !== undefined) return { ok: false, reason: 'already-there', slug: existing };
  const voiceName = cleanLine(choices.voice, 120) ?? tags.artist;
  if (voiceName === undefined) return { ok: false, reason: 'no-voice' };

  if ((await blobs.stat(fileKey))?.bytes !== file.bytes) {
    const kept = await blobs.importFile(fileKey, path);
    if (kept.bytes !== file.bytes) return { ok: false, reason: 'unreadable', detail: 'was changed while it was read' };
  }
  const cover = file.picture === undefined ? undefined : await covers.encode(file.picture);
  const imageKey = cover === undefined ? null : await keepImage(blobs, cover);

  return db.transaction(async (tx) => {
    // Taken first: two imports of one file wait for each other here, and the second finds it there.
    const slug = await claimSlug(tx, 'audios', tags.title);
    const same = await findSame(tx, fileKey, tags.title);
    if (same !== undefined) return { ok: false, reason: 'already-there', slug: same };

    const voice = await findOrCreateVoice(tx, voiceName, choices);
    const id = newId();
    await tx.insert(audios).values({
      id,
      slug,
      title: tags.title,
      sortTitle: sortKey(tags.title),
      description: tags.description,
      voiceId: voice.id,
      imageKey,
      isFree: choices.isFree,
      fileKey,
      fileMime: file.mime,
      fileBytes: file.bytes,
      durationMs: file.durationMs,
      publishedAt: choices.publish ? publishedNow : null,
    });
    const newCategories: string[] = [];
    const categoryIds = choices.categoryIds ?? (await findOrCreateCategories(tx, tags.genres, newCategories));
    if (categoryIds.length > 0)
      await tx
        .insert(audioCategories)
        .values(categoryIds.map((categoryId, position) => ({ audioId: id, categoryId, position })));
    // A collection of several voices belongs to none of them.
    const isOneVoices =
      choices.voice !== undefined ||
      tags.albumArtist === undefined ||
      tags.albumArtist.toLowerCase() === tags.artist?.toLowerCase();
    const part =
      tags.album === undefined
        ? undefined
        : await addToSeries(
            tx,
            { title: tags.album, voiceId: isOneVoices ? voice.id : null, imageKey },
            id,
            tags.place,
          );

    return {
      ok: true,
      audio: {
        slug,
        title: tags.title,
        numberDuration: Math.round(file.durationMs / 10) / 100,
        voice: { slug: voice.slug, name: voice.name, isNew: voice.isNew },
        series: part,
        newCategories,
        cover: file.picture === undefined ? 'none' : cover === undefined ? 'not-decodable' : 'kept',
        extension: file.extension,
        bytes: file.bytes,
      },
    };
  });
}

/** @returns the slug of an audio with this title and this very content */
async function findSame(db: Db, fileKey: string, title: string): Promise<string | undefined> {
  const [row] = await db
    .select({ slug: audios.slug })
    .from(audios)
    .where(and(eq(audios.fileKey, fileKey), eq(audios.title, title)))
    .limit(1);
  return row?.slug;
}

async function keepImage(blobs: Blobs, image: Uint8Array): Promise<string> {
  const key = `images/${createHash('sha256').update(image).digest('hex').slice(0, 20)}.webp`;
  if ((await blobs.stat(key))?.bytes !== image.byteLength) await blobs.write(key, image);
  return key;
}

type CleanTags = {
  title: string;
  description: string;
  artist: string | undefined;
  albumArtist: string | undefined;
  album: string | undefined;
  genres: string[];
  /** From 0, over all disks; undefined where the tags do not say. */
  place: number | undefined;
};

function cleanTags(file: SoundFile, fallbackTitle: string): CleanTags {
  const track = file.track !== undefined && file.track >= 1 && file.track <= 9999 ? file.track : undefined;
  const disk = file.disk !== undefined && file.disk >= 1 && file.disk <= 999 ? file.disk : 1;
  return {
    title: cleanLine(file.title, 200) ?? cleanLine(fallbackTitle, 200) ?? 'Untitled',
    description: cleanText(file.description, 5000),
    artist: cleanLine(file.artist, 120),
    albumArtist: cleanLine(file.albumArtist, 120),
    album: cleanLine(file.album, 200),
    genres: file.genres
      .flatMap((genre) => genre.split(/[;,\0]/))
      .flatMap((genre) => cleanLine(genre, 80) ?? [])
      .slice(0, mostCategories),
    place: track === undefined ? undefined : (disk - 1) * 10_000 + track - 1,
  };
}

/** Characters that turn the direction of everything behind them, in a list of others' titles too. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** One line without control characters, cut to so many code points, as the database counts them; undefined when nothing is left. */
function cleanLine(text: string | undefined, most: number): string | undefined {
  const line = text
    ?.toWellFormed()
    .replace(directionMarks, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line ? cut(line, most) : undefined;
}

function cleanText(text: string | undefined, most: number): string {
  const lines = (text ?? '')
    .toWellFormed()
    .replace(directionMarks, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cut(lines, most);
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

async function findOrCreateVoice(tx: Db, nameOrSlug: string, choices: ImportChoices) {
  // By slug only when an operator named it; an artist's name is a name.
  const bySlug = choices.voice === undefined ? undefined : eq(voices.slug, nameOrSlug);
  for (const match of [bySlug, sql`lower(${voices.name}) = lower(${nameOrSlug})`]) {
    if (match === undefined) continue;
    const [found] = await tx
      .select({ id: voices.id, slug: voices.slug, name: voices.name })
      .from(voices)
      .where(match)
      .orderBy(asc(voices.id))
      .limit(1);
    if (found !== undefined) return { ...found, isNew: false };
  }
  const voice = { id: newId(), slug: await claimSlug(tx, 'voices', nameOrSlug), name: nameOrSlug };
  await tx.insert(voices).values({ ...voice, sortName: sortKey(nameOrSlug), voiceTypeLabel: choices.voiceTypeLabel });
  return { ...voice, isNew: true };
}

/** @param made gets the slugs of those that were not there */
async function findOrCreateCategories(tx: Db, labels: string[], made: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const label of labels) {
    const [found] = await tx
      .select({ id: categories.id })
      .from(categories)
      .where(sql`lower(${categories.label}) = lower(${label}) or ${categories.slug} = ${toSlug(label)}`)
      .orderBy(asc(categories.position), asc(categories.id))
      .limit(1);
    if (found !== undefined) {
      if (!ids.includes(found.id)) ids.push(found.id);
      continue;
    }
    const [last] = await tx.select({ position: max(categories.position) }).from(categories);
    const category = {
      id: newId(),
      slug: await claimSlug(tx, 'categories', label),
      label,
      position: (last?.position ?? -1) + 1,
    };
    await tx.insert(categories).values(category);
    made.push(category.slug);
    ids.push(category.id);
  }
  return ids;
}

/** @param place where the audio stands in the series; behind all others when it is not said, or taken */
async function addToSeries(
  tx: Db,
  wanted: { title: string; voiceId: string | null; imageKey: string | null },
  audioId: string,
  place: number | undefined,
) {
  const [found] = await tx
    .select({ id: series.id, slug: series.slug, title: series.title })
    .from(series)
    .where(
      and(
        sql`lower(${series.title}) = lower(${wanted.title})`,
        sql`${series.voiceId} is not distinct from ${wanted.voiceId}::uuid`,
      ),
    )
    .orderBy(asc(series.id))
    .limit(1);
  const one = found ?? { id: newId(), slug: await claimSlug(tx, 'series', wanted.title), title: wanted.title };
  if (found === undefined)
    await tx
      .insert(series)
      .values({ ...one, sortTitle: sortKey(one.title), voiceId: wanted.voiceId, imageKey: wanted.imageKey });
  const taken = await tx
    .select({ position: seriesItems.position })
    .from(seriesItems)
    .where(eq(seriesItems.seriesId, one.id));
  const positions = taken.map(({ position }) => position);
  const position = place !== undefined && !positions.includes(place) ? place : Math.max(-1, ...positions) + 1;
  await tx.insert(seriesItems).values({ seriesId: one.id, audioId, position });
  return { slug: one.slug, title: one.title, isNew: found === undefined };
}
