import { and, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { maxRecommended } from '../../catalogue/rules.ts';
import { audios, categories, series, voices } from '../../catalogue/tables.ts';
import { changeCommentSettings } from '../../community/comment-settings.ts';
import type { ArchiveFiles, Blobs, Covers } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { storeFile } from '../../stored-files.ts';
import type { FeedImportRow } from '../feed-imports/imports.ts';
import { editProfile } from '../profiles.ts';
import { maxPictureBytes } from '../rules.ts';
import { feedImportItems as items, movedInFiles } from '../tables.ts';
import { keepImage } from '../uploads/keep-files.ts';
import { type Author, findAuthor } from '../uploads/process-upload.ts';
import { type ArchivedCreator, keptFiles } from './archive-shapes.ts';
import { encodePicture, readSmall } from './small-files.ts';
import { fillSeries } from './fill-series.ts';
import { readCreator, readSeries } from './read-archive.ts';

type Tools = { db: Db; blobs: Blobs; covers: Covers; archive: ArchiveFiles };

/** Bytes of a file that is kept as it is. */
const maxKeptBytes = 200 * 1024 * 1024;
/** Sites that a creator has left before. */
const maxFormerSites = 50;

/** Adds all but the audios: series, the page and files without a place. Repeated, it changes nothing. */
export async function finishArchive(tools: Tools, row: FeedImportRow, signal: AbortSignal): Promise<void> {
  const { db, archive } = tools;
  const author = await findAuthor(db, row, row.isByOperator);
  const creator = await readCreator(archive, signal);
  if (author === undefined || creator === undefined) return;
  const audioIds = await findAudios(db, row.id);
  const seriesIds = await makeSeries(tools, row, { author, audioIds, signal });
  await fillPage(tools, row, { actor: author.actor, creator, audioIds, seriesIds, signal });
  await keepFiles(tools, row.voiceId, signal);
}

/** By their slug at the former site. */
async function findAudios(db: Db, importId: string): Promise<Map<string, string>> {
  const rows = await db
    .select({ slug: sql<string>`${items.item} -> 'archived' ->> 'slug'`, id: audios.id })
    .from(items)
    .innerJoin(audios, and(eq(audios.id, items.audioId), isNull(audios.deletedAt)))
    .where(and(eq(items.importId, importId), isNotNull(items.audioId)));
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

type Found = { author: Author; audioIds: Map<string, string>; signal: AbortSignal };

async function makeSeries(tools: Tools, row: FeedImportRow, { author, audioIds, signal }: Found) {
  const ids = new Map<string, string>();
  for (const { slug, audios: parts, cover, ...texts } of await readSeries(tools.archive, signal)) {
    const isKnown = (await tools.db.$count(series, and(eq(series.slug, slug), eq(series.voiceId, row.voiceId)))) > 0;
    const imageKey = isKnown ? null : await keepPicture(tools, row, cover, signal);
    const wanted = { ...texts, slug, imageKey, voiceId: row.voiceId };
    const found = parts.flatMap((part) => audioIds.get(part) ?? []);
    ids.set(slug, await tools.db.transaction((tx) => fillSeries(tx, author, { ...wanted, audioIds: found })));
  }
  return ids;
}

async function keepPicture(
  tools: Tools,
  { isByOperator }: FeedImportRow,
  path: string | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  if (path === undefined) return null;
  const picture = await readSmall(tools.archive, path, { bytes: maxPictureBytes, signal });
  const image = picture && (await encodePicture(tools.covers, picture, isByOperator));
  return image === undefined ? null : keepImage(tools, image);
}

type Page = Omit<Found, 'author'> & { actor: Actor; creator: ArchivedCreator; seriesIds: Map<string, string> };

/** Only of a page that nobody has begun to fill. */
async function fillPage(
  tools: Tools,
  row: FeedImportRow,
  { actor, creator, audioIds, seriesIds, signal }: Page,
): Promise<void> {
  const { db } = tools;
  const { voiceId } = row;
  const isUntouched = and(eq(voices.id, voiceId), eq(voices.bio, ''), isNull(voices.imageKey), eq(voices.links, []));
  if ((await db.$count(voices, isUntouched)) === 0) return;
  const imageKey = await keepPicture(tools, row, creator.portrait, signal);
  const idOf = (ids: Map<string, string>, slug: string | null) => (slug === null ? null : (ids.get(slug) ?? null));
  const recommended = await db
    .select({ id: voices.id, slug: voices.slug })
    .from(voices)
    .where(and(inArray(voices.slug, [...creator.recommended, '']), isNull(voices.hiddenAt), ne(voices.id, voiceId)));
  const { bio, language, links, license, directoryText, color, voiceType, category, comments } = creator;
  const [known] = await db
    .select({ id: categories.id })
    .from(categories)
    .where(and(eq(categories.slug, category ?? ''), isNull(categories.deletedAt)));
  const recommendedIds = creator.recommended
    .flatMap((slug) => recommended.find((one) => one.slug === slug)?.id ?? [])
    .slice(0, maxRecommended);
  const until = comments.pausedUntil === null ? null : new Date(comments.pausedUntil);
  await db.transaction(async (tx) => {
    const edit = (change: Parameters<typeof editProfile>[3]) =>
      editProfile({ ...tools, db: tx }, actor, voiceId, change);
    await edit({ bio, language, links, license, directoryText, recommendedIds });
    await edit({ linkedSeriesId: idOf(seriesIds, creator.linkedSeries) });
    // Those that are not public here are left out.
    await edit({ welcomeAudioId: idOf(audioIds, creator.welcomeAudio) });
    await edit({ paymentAudioId: idOf(audioIds, creator.paymentAudio) });
    await edit({ farewellAudioId: idOf(audioIds, creator.farewellAudio) });
    const pausedUntil = until !== null && until > new Date() ? until : null;
    await changeCommentSettings(tx, actor, voiceId, { ...comments, pausedUntil });
    await tx
      .update(voices)
      .set({
        imageKey,
        color,
        // A creator does not choose them.
        ...(row.isByOperator && { voiceTypeLabel: voiceType, ...(known && { categoryId: known.id }) }),
      })
      .where(eq(voices.id, voiceId));
  });
}

/** Figures and comments of the former site, and those that it had from sites before. They leave with the next archive. */
async function keepFiles({ db, blobs, archive }: Tools, voiceId: string, signal: AbortSignal): Promise<void> {
  const known = await db.select().from(movedInFiles).where(eq(movedInFiles.voiceId, voiceId));
  const isKnown = (fileKey: string, name: string) =>
    known.some((one) => one.fileKey === fileKey && one.path.endsWith(`/${name}`));
  let site = Math.max(0, ...known.map(({ path }) => Number(path.split('/')[1])));
  for (const folder of [...foldersBefore(archive.names), '']) {
    const files: (typeof movedInFiles.$inferInsert)[] = [];
    for (const name of keptFiles) {
      if (!archive.names.includes(folder + name)) continue;
      await archive.download(folder + name, { bytes: maxKeptBytes, signal }, async ({ path, bytes, sha256 }) => {
        const fileKey = `archives/${sha256.slice(0, 20)}${name.slice(name.lastIndexOf('.'))}`;
        if (bytes === 0 || isKnown(fileKey, name)) return;
        await storeFile({ db, blobs }, { key: fileKey, bytes }, () => blobs.importFile(fileKey, path));
        files.push({ voiceId, path: `before/${site + 1}/${name}`, fileKey, bytes });
      });
    }
    if (files.length === 0) continue;
    site += 1;
    if (site > maxFormerSites) return;
    await db.insert(movedInFiles).values(files).onConflictDoNothing();
  }
}

/** `before/1/`, `before/2/` … */
function foldersBefore(names: string[]): string[] {
  const numbers = names.flatMap((name) => /^before\/([1-9]\d?)\//.exec(name)?.[1] ?? []);
  return [...new Set(numbers)]
    .toSorted((one, other) => Number(one) - Number(other))
    .map((number) => `before/${number}/`);
}
