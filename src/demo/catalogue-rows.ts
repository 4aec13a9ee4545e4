import { eq } from 'drizzle-orm';
import {
  audioCategories,
  audioCounts,
  audios,
  audioTags,
  categories,
  playlistItems,
  playlists,
  recordings as recordingRows,
  series,
  seriesItems,
  tags,
  transcripts,
  transcriptTranslations,
  voiceCounts,
  voices,
} from '#domain/catalogue/tables.ts';
import { credits } from '#domain/catalogue/credits/tables.ts';
import { auditEntries } from '#domain/kernel/audit.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newId, newIdAt, sortKey, toSlug } from '#domain/kernel/ids.ts';
import { type DemoCatalogue, type Measures, type Recording, type Translations, find } from './catalogue.ts';
import { shuffled } from './random.ts';

/** The demo while its rows are written. */
export type Demo = {
  catalogue: DemoCatalogue;
  recordings: Map<string, Recording>;
  measures: Map<string, Measures>;
  translations: Translations;
  /** Blob keys of the recordings, by slug. */
  fileKeys: Map<string, string>;
  /** Blob keys of the images, by kind and slug, such as `voice-mira-holt`. */
  imageKeys: Map<string, string>;
  /** Deterministic: the same id for the same kind and slug. */
  idOf: (kind: string, slug: string) => string;
  /** The functions of this file draw from it in a fixed order, so that every demo is the same. */
  random: () => number;
  now: Date;
};

const dayMs = 24 * 60 * 60 * 1000;

/** Inserts the categories, creators, audios and lists. @returns the publication times of the audios, by slug */
export async function insertCatalogue(tx: Db, demo: Demo): Promise<Map<string, Date>> {
  const { catalogue, imageKeys, idOf, random } = demo;
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
    catalogue.voices.map(({ slug, name, voiceTypeLabel, bio, language, color, category, recommends }) => ({
      id: idOf('voice', slug),
      slug,
      name,
      sortName: sortKey(name),
      voiceTypeLabel,
      bio,
      language,
      color,
      categoryId: idOf('category', category),
      imageKey: imageKeys.get(`voice-${slug}`) ?? null,
      recommendedIds: recommends.map((other) => idOf('voice', other)),
    })),
  );
  await tx.insert(voiceCounts).values(
    catalogue.voices.map(({ slug }) => ({
      voiceId: idOf('voice', slug),
      favorites: Math.round(2500 + random() * 20_000),
    })),
  );
  const publishedAt = choosePublicationTimes(demo);
  await insertAudios(tx, demo, publishedAt);
  await logPublications(tx, demo, publishedAt);
  await insertParts(tx, demo);
  await insertLists(tx, demo);
  return publishedAt;
}

async function insertAudios(tx: Db, demo: Demo, publishedAt: Map<string, Date>): Promise<void> {
  const { catalogue, recordings, fileKeys, imageKeys, idOf } = demo;
  await tx.insert(audios).values(
    catalogue.audios.map(({ slug, title, voice, description, language, color, badge, free, commentsDisabled }) => {
      const recording = find(recordings, slug);
      return {
        id: idOf('audio', slug),
        slug,
        title,
        sortTitle: sortKey(title),
        description,
        language,
        // Machines speak all of the demo (demo/make/README.md).
        syntheticVoice: 'wholly' as const,
        voiceId: idOf('voice', voice),
        imageKey: imageKeys.get(`audio-${slug}`) ?? null,
        color,
        badge: badge ?? null,
        commentsDisabled,
        isFree: free,
        fileKey: find(fileKeys, slug),
        fileMime: recording.mime,
        fileBytes: recording.bytes,
        durationMs: Math.round(recording.seconds * 1000),
        publishedAt: find(publishedAt, slug),
      };
    }),
  );
  for (const { slug } of catalogue.audios) {
    await tx
      .update(audioCounts)
      .set(chooseCounts(demo, find(publishedAt, slug)))
      .where(eq(audioCounts.audioId, idOf('audio', slug)));
  }
}

async function logPublications(tx: Db, { catalogue, idOf, now }: Demo, published: Map<string, Date>): Promise<void> {
  // Entries of the log cannot be removed, so it begins with the last weeks’ publications.
  const recent = catalogue.audios.filter(({ slug }) => find(published, slug).getTime() > now.getTime() - 45 * dayMs);
  await tx.insert(auditEntries).values(
    recent.map(({ slug, title, voice }) => {
      const publishedAt = find(published, slug);
      return {
        id: newIdAt(publishedAt),
        createdAt: publishedAt,
        actorRole: 'operator' as const,
        action: 'audio.publish',
        subjectType: 'audio',
        subjectId: idOf('audio', slug),
        subjectName: title,
        voiceId: idOf('voice', voice),
        before: { state: 'draft', publishedAt: null },
        after: { state: 'published', publishedAt: publishedAt.toISOString() },
      };
    }),
  );
}

/** Recordings, credits, categories, tags and transcripts of the audios. */
async function insertParts(tx: Db, demo: Demo): Promise<void> {
  const { catalogue, recordings, measures, translations, fileKeys, idOf, now } = demo;
  await tx.insert(recordingRows).values(
    catalogue.audios.map(({ slug }) => {
      const { facts, peaks } = find(measures, slug);
      return {
        audioId: idOf('audio', slug),
        fileKey: find(fileKeys, slug),
        facts,
        peaks: Buffer.from(peaks, 'base64'),
      };
    }),
  );
  await tx.insert(credits).values(
    catalogue.audios.flatMap((audio) =>
      audio.credits.map(({ role, name, voice, asked }, position) => ({
        id: newId(),
        audioId: idOf('audio', audio.slug),
        position,
        role,
        name,
        voiceId: voice && idOf('voice', voice),
        ...(asked && { state: 'asked' as const, askedAt: now }),
      })),
    ),
  );
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
  const withCues = catalogue.audios
    .filter(({ transcript }) => transcript)
    .map(({ slug, language }) => ({ audioId: idOf('audio', slug), language, cues: find(recordings, slug).cues }))
    .filter(({ cues }) => cues.length > 0);
  await tx.insert(transcripts).values(withCues);
  await tx.insert(transcriptTranslations).values(
    Object.entries(translations).flatMap(([slug, byLanguage]) =>
      Object.entries(byLanguage).map(([language, lines]) => ({
        audioId: idOf('audio', slug),
        language,
        cues: find(recordings, slug).cues.map((cue, index) => ({ ...cue, text: lines[index] ?? '' })),
      })),
    ),
  );
}

/** Series and playlists. */
async function insertLists(tx: Db, { catalogue, imageKeys, idOf }: Demo): Promise<void> {
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
      .where(eq(voices.id, idOf('voice', slug)));
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
}

/** Publication times by slug: the newest is a day old; audios with a badge come first, then the rest shuffled. */
function choosePublicationTimes({ catalogue, random, now }: Demo): Map<string, Date> {
  const newestFirst = shuffled(catalogue.audios, random).sort(
    (a, b) => Number(b.badge !== undefined) - Number(a.badge !== undefined),
  );
  return new Map(
    newestFirst.map(({ slug }, index) => {
      const days = 1 + index * 6.3 + random() * 4;
      return [slug, new Date(now.getTime() - dayMs * days - random() * dayMs * 0.6)];
    }),
  );
}

/** A long-tail distribution of plays that grows with age, without round numbers. */
function chooseCounts({ random, now }: Demo, publishedAt: Date): { plays: number; favorites: number } {
  const ageInDays = (now.getTime() - publishedAt.getTime()) / dayMs;
  const popularity = 900 + 110_000 * random() ** 3.2;
  const plays = Math.round(popularity * Math.min(1, 0.08 + ageInDays / 160) + random() * 97);
  return { plays, favorites: Math.round(plays * (0.02 + random() * 0.05)) };
}
