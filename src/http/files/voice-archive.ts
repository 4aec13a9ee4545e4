import { makeZip } from 'client-zip';
import { Hono } from 'hono';
import type { z } from 'zod';
import { type Chapter, chaptersOf, writeChapters } from '#domain/catalogue/chapter-rules.ts';
import { writeVtt } from '#domain/catalogue/cue-rules.ts';
import { commentersOf } from '#domain/catalogue/rules.ts';
import type { Blobs } from '#domain/gateways.ts';
import { csvLine } from '#domain/kernel/csv.ts';
import type { Actor } from '#domain/kernel/actor.ts';
import type { Site } from '#domain/site.ts';
import { type ArchivedCreator, archiveFormat } from '#domain/studio/moving-in/archive-shapes.ts';
import type { Archive, ArchivedAudio } from '#domain/studio/moving-out/archive.ts';
import { type ArchivedEpisode, archiveFeed } from '../feeds/archive-feed.ts';
import { type Failures, errorResponse, refuseUnlessRead } from '../errors.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { findViewer } from '../viewer.ts';

/** Everything of a creator as one ZIP of open files, written as it is read: its size does not matter. */

type Parts = { site: Site; blobs: Blobs };

/** A file of the archive, whose content is read when its turn comes. */
export type Entry = { name: string; lastModified?: Date; input: string | AsyncIterable<Uint8Array | string> };

/** `GET /studio-files/voices/{id}/archive.zip`: for owners of the creator, and operators. */
export function voiceArchiveRoutes({
  site,
  blobs,
  rateLimit,
  failures,
}: Parts & { rateLimit: RateLimit; failures: Failures }): Hono {
  const app = new Hono();
  const path = '/studio-files/voices/:id/archive.zip';

  app.get(path, async (context) => {
    if (!rateLimit(context, { kind: 'archive', perMinute: 30 })) return errorResponse('request/too-many');
    const viewer = await findViewer(site, context.req.raw);
    const opened =
      viewer.kind === 'user' ? await openVoiceArchive({ site, blobs }, viewer, context.req.param('id')) : undefined;
    if (opened === undefined) return errorResponse('request/not-found');
    const body = opened.read((error) => void failures.report(error, 'An archive broke off'));
    return new Response(body, {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${opened.fileName}"`,
        'cache-control': 'private, no-store',
      },
    });
  });

  app.all(path, refuseUnlessRead);
  return app;
}

/** @returns undefined for an unknown creator, and for one whom the actor does not own */
export async function openVoiceArchive(
  { site, blobs }: Parts,
  actor: Actor,
  idOrSlug: string,
): Promise<
  { fileName: string; read(onFailure: (error: unknown) => void): ReadableStream<Uint8Array<ArrayBuffer>> } | undefined
> {
  const archive = await site.studio.openArchive(actor, idOrSlug);
  if (archive === undefined) return undefined;
  return {
    fileName: `${archive.slug}-${new Date().toISOString().slice(0, 10)}.zip`,
    read: (onFailure) => zipOf(entriesOf({ site, blobs }, archive), onFailure),
  };
}

/**
 * Read as fast as it is taken. With ZIP64: a creator may have more than 4 GB.
 * @param onFailure the stream then breaks off
 */
export function zipOf(
  entries: AsyncGenerator<Entry>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = makeZip(entries).getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value as Uint8Array<ArrayBuffer>);
        } catch (error) {
          onFailure(error);
          controller.error(error);
        }
      },
      async cancel(reason) {
        // Ends the entries by throwing the reason into them.
        await reader.cancel(reason).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

const jsonOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
export const extensionOf = (key: string) => /\.[a-z0-9]{1,8}$/.exec(key)?.[0] ?? '';

const pathsOf = ({ slug, extension, originalKey, coverKey }: ArchivedAudio) => ({
  sound: `sound/${slug}${extension}`,
  original: originalKey === null ? undefined : `originals/${slug}${extensionOf(originalKey)}`,
  cover: coverKey === null ? undefined : `covers/${slug}${extensionOf(coverKey)}`,
});

const heardChapters = ({ chapters, description, durationMs }: ArchivedAudio): Chapter[] =>
  chaptersOf(chapters, description, durationMs / 1000);
const chaptersPath = (slug: string) => `chapters/${slug}.json`;
const transcriptPath = (slug: string, language: string) => `transcripts/${slug}.${language}.vtt`;

/** Texts first, then files: what breaks off has the texts. */
export async function* entriesOf({ site, blobs }: Parts, archive: Archive): AsyncGenerator<Entry> {
  const missing: string[] = [];
  const { portraitKey, slug, profile } = archive;
  const portrait = portraitKey === null ? undefined : `covers/${slug}-portrait${extensionOf(portraitKey)}`;

  async function* fileOf(key: string | null, name: string | undefined, lastModified?: Date): AsyncGenerator<Entry> {
    if (key === null || name === undefined) return;
    if ((await blobs.stat(key)) === undefined) {
      missing.push(name);
      return;
    }
    yield* openBlob(blobs, key, name, lastModified);
  }

  yield { name: 'README.txt', input: readMe(site.facts, profile.name) };
  yield { name: 'creator.json', input: jsonOf(creatorOf(archive, portrait)) };
  yield { name: 'catalogue.json', input: jsonOf(await archive.listCatalogue()) };
  const allSeries = (await archive.listSeries()).map(({ coverKey, ...one }) => ({
    coverKey,
    facts: { ...one, cover: coverKey === null ? undefined : `covers/series-${one.slug}${extensionOf(coverKey)}` },
  }));
  yield { name: 'series.json', input: jsonOf(allSeries.map(({ facts }) => facts)) };

  const episodes: ArchivedEpisode[] = [];
  yield { name: 'audios.jsonl', input: audioLines(archive, episodes) };
  yield { name: 'feed.xml', input: archiveFeed(site.facts, archive, portrait, episodes) };
  yield { name: 'audios.csv', input: audioTotals(archive) };
  yield { name: 'figures.csv', input: await archive.printFigures() };
  yield { name: 'comments.jsonl', input: commentLines(archive) };

  for await (const audios of archive.audios())
    for (const audio of audios) {
      for (const { language, cues } of await archive.transcriptsOf(audio.id))
        yield { name: transcriptPath(audio.slug, language), input: writeVtt(cues) };
      const chapters = heardChapters(audio);
      const { title } = audio;
      if (chapters.length > 0)
        yield { name: chaptersPath(audio.slug), input: writeChapters({ title, author: profile.name, chapters }) };
    }

  yield* fileOf(portraitKey, portrait);
  for (const { coverKey, facts } of allSeries) yield* fileOf(coverKey, facts.cover);
  for await (const audios of archive.audios())
    for (const audio of audios) {
      const paths = pathsOf(audio);
      yield* fileOf(audio.coverKey, paths.cover, audio.updatedAt);
      yield* fileOf(audio.fileKey, paths.sound, audio.updatedAt);
      yield* fileOf(audio.originalKey, paths.original, audio.createdAt);
    }
  for (const { fileKey, path } of await archive.listFormerFiles()) yield* fileOf(fileKey, path);
  if (missing.length > 0) yield { name: 'missing.txt', input: `${missing.join('\n')}\n` };
}

/** As `ArchivedCreator` is read back. */
function creatorOf(
  { slug, profile, voiceType, color, category, recommended, ownSlugs, commentSettings }: Archive,
  portrait: string | undefined,
): z.input<typeof ArchivedCreator> {
  const { name, bio, language, links, license, directoryText } = profile;
  return {
    format: archiveFormat,
    name,
    slug,
    bio,
    language,
    links,
    license,
    directoryText,
    voiceType,
    color,
    category,
    portrait,
    recommended,
    linkedSeries: ownSlugs?.linkedSeries ?? null,
    welcomeAudio: ownSlugs?.welcomeAudio ?? null,
    paymentAudio: ownSlugs?.paymentAudio ?? null,
    farewellAudio: ownSlugs?.farewellAudio ?? null,
    comments: { ...commentSettings, pausedUntil: commentSettings.pausedUntil?.toISOString() ?? null },
  };
}

/** A stored file, which is closed when its reader goes on or leaves. */
export async function* openBlob(blobs: Blobs, key: string, name: string, lastModified?: Date): AsyncGenerator<Entry> {
  const reader = blobs.read(key).getReader();
  try {
    yield { name, input: piecesOf(reader), ...(lastModified && { lastModified }) };
  } finally {
    // Without effect on one that was read to its end.
    await reader.cancel().catch(() => undefined);
  }
}

async function* piecesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** One audio a line, drafts too. @param episodes gets those of the feed */
async function* audioLines(archive: Archive, episodes: ArchivedEpisode[]): AsyncGenerator<string> {
  const now = new Date();
  for await (const audios of archive.audios())
    for (const audio of audios) {
      const { fileKey: _file, originalKey: _original, coverKey: _cover, extension: _extension, ...rest } = audio;
      const { commentsDisabled, commentsForSubscribers, credits, ...facts } = rest;
      const transcripts = (await archive.transcriptsOf(audio.id)).map(({ language }) => ({
        language,
        path: transcriptPath(audio.slug, language),
      }));
      const { original, ...paths } = pathsOf(audio);
      const chapters = heardChapters(audio).length > 0 ? chaptersPath(audio.slug) : undefined;
      const { publishedAt } = audio;
      if (publishedAt !== null && publishedAt <= now)
        episodes.push({ ...audio, publishedAt, ...paths, chapters, transcripts });
      const line = {
        ...facts,
        guid: audio.guid ?? audio.id,
        commenters: commentersOf({ commentsDisabled, commentsForSubscribers }),
        credits: credits.map(({ role, name, voice }) => ({ role, name, voice: voice && { slug: voice.slug } })),
        ...paths,
        original,
        chapters,
        hasOwnChapters: audio.chapters !== null,
        transcripts,
      };
      yield `${JSON.stringify(line)}\n`;
    }
}

async function* audioTotals(archive: Archive): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(['Audio', 'Title', 'Published', 'Seconds', 'Plays', 'Favorites', 'Comments'])}`;
  for await (const audios of archive.audios())
    yield audios
      .map(({ slug, title, publishedAt, durationMs, plays, favorites, comments }) =>
        csvLine([
          slug,
          title,
          publishedAt?.toISOString() ?? null,
          Math.round(durationMs / 1000),
          plays,
          favorites,
          comments,
        ]),
      )
      .join('');
}

async function* commentLines(archive: Archive): AsyncGenerator<string> {
  for await (const comments of archive.comments())
    yield comments.map((comment) => `${JSON.stringify(comment)}\n`).join('');
}

/** In English, as the names of the files and fields are. */
function readMe({ name, url }: Site['facts'], creator: string): string {
  return `Everything of ${creator} at ${name} (${url}).

feed.xml        published audios as a podcast feed, with the paths of these files; put the folder on any web server
audios.jsonl    all audios, drafts too: one JSON object per line
creator.json    the creator's page
catalogue.json  categories and tags of the site
series.json     series, with their audios in order
sound/          what listeners hear
originals/      the files that were uploaded, where they were kept
covers/         covers and portrait
transcripts/    WebVTT, with the language in the name
chapters/       JSON, as podcast apps read it
comments.jsonl  comments that everybody could read: one JSON object per line
audios.csv      plays, favorites and comments of each audio
figures.csv     figures per day; numbers of fewer than ten listeners are not told
before/         figures and comments of sites that the creator was at before
missing.txt     files that could not be found, if there are any
`;
}
