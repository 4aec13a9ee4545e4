import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { canonicalLanguage } from '#formats/canonical-language.ts';
import { audios, importedAudios, voices } from '../../catalogue/tables.ts';
import {
  type FeedItem,
  type FeedPage,
  type Mail,
  type OpenArchive,
  type ReadFeed,
  type Web,
  WebRefusal,
} from '../../gateways.ts';
import { mailTo } from '../../identity/account-language.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import { isVisible } from '../../kernel/rules.ts';
import { findListed, findWordLists } from '../../settings/word-lists.ts';
import { maskEmail } from '../../verification/rules.ts';
import type { ArchivedCatalogue, ImportedItem } from '../moving-in/archive-shapes.ts';
import { enterCatalogue } from '../moving-in/former-catalogue.ts';
import { readArchive } from '../moving-in/read-archive.ts';
import { maxUploadBytes } from '../rules.ts';
import { feedImportItems as items, feedImports as imports } from '../tables.ts';
import { cleanLine, cleanText } from '../uploads/import-tags.ts';
import type { FeedImportRow } from './imports.ts';
import { feedOwnerMail } from './mails.ts';
import { hashOfCode, newOwnerCode } from './owner-code.ts';
import {
  type FeedFailure,
  type ItemObstacle,
  codeHours,
  maxFeedBytes,
  maxFeedBytesInAll,
  maxFeedItems,
  maxFeedPages,
} from './rules.ts';

export type ReadingTools = {
  db: Db;
  web: Web;
  readFeed: ReadFeed;
  openArchive: OpenArchive;
  mail: Mail;
  site: MailSite;
};

/** Then it fails, so that one that always ends its process is not read for ever. */
const maxAttempts = 4;
/** Milliseconds for all pages. */
const maxMs = 10 * 60_000;
const itemsAtOnce = 200;
const feedTypes =
  'application/rss+xml, application/atom+xml, application/feed+json, application/xml, text/xml, */*;q=0.5';

/** Makes a plan of a feed. @throws WebRefusal which may pass, so that the job is tried again */
export async function readFeedImport(tools: ReadingTools, row: FeedImportRow, signal?: AbortSignal): Promise<void> {
  const { db } = tools;
  const isOf = and(eq(imports.id, row.id), eq(imports.state, 'reading'));
  const fail = async (failure: FeedFailure) =>
    void (await db.update(imports).set({ state: 'failed', failure, content: null }).where(isOf));
  const { rowCount } = await db
    .update(imports)
    .set({ attempts: sql`${imports.attempts} + 1` })
    .where(isOf);
  if (rowCount !== 1) return undefined;
  if (row.attempts >= maxAttempts) return fail('failed');
  let read: Read | FeedFailure;
  try {
    read = await (row.archiveName === null ? readPages : readStored)(tools, row, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof WebRefusal)) throw error;
    if (error.mayPass && row.attempts + 1 < maxAttempts) throw error;
    return fail(failureOf(error, row));
  }
  if (typeof read === 'string') return fail(read);
  if (read.items.length === 0 && !row.runsAlone) return fail('empty');
  if (mustBeProven(row) && read.ownerEmail === undefined) return fail('no-owner');
  return keepPlan(tools, row, read);
}

/**
 * A feed is public, so its owner has to agree. An archive is not: only those who own a creator get it, drafts and all.
 * Its files could be uploaded one by one as well.
 */
const mustBeProven = ({ isByOperator, archiveName }: FeedImportRow) => !isByOperator && archiveName === null;

function failureOf({ reason }: WebRefusal, { archiveName }: FeedImportRow): FeedFailure {
  switch (reason) {
    case 'private':
    case 'address':
      return 'not-public';
    case 'too-large':
      return 'too-large';
    case 'unreadable':
      return archiveName === null ? 'not-a-feed' : 'not-an-archive';
    default:
      return 'unreachable';
  }
}

type Read = Pick<FeedPage, 'title' | 'language' | 'ownerEmail'> & {
  items: ImportedItem[];
  catalogue?: ArchivedCatalogue;
};

async function readStored(
  { openArchive }: ReadingTools,
  { archiveKey, archiveFolder }: FeedImportRow,
  signal: AbortSignal | undefined,
): Promise<Read | FeedFailure> {
  const files = await openArchive(archiveKey ?? '', archiveFolder);
  try {
    const read = await readArchive(files, signal);
    return typeof read === 'string' ? read : { ...read, ownerEmail: undefined };
  } finally {
    files.close();
  }
}

/** Follows `rel="next"`. The owner is that of the first page, which the creator named. */
async function readPages(
  { web, readFeed }: ReadingTools,
  { url, content }: FeedImportRow,
  signal: AbortSignal | undefined,
): Promise<Read | FeedFailure> {
  const stop = AbortSignal.any([AbortSignal.timeout(maxMs), ...(signal === undefined ? [] : [signal])]);
  const found: FeedItem[] = [];
  const seen = new Set<string>();
  let first: FeedPage | undefined;
  let bytes = 0;
  let next = url ?? undefined;
  do {
    const answer =
      next === undefined
        ? { url: undefined, content: Buffer.from(content ?? '') }
        : await web.read(next, { bytes: maxFeedBytes, accept: feedTypes, signal: stop });
    bytes += answer.content.byteLength;
    const page = bytes > maxFeedBytesInAll ? undefined : await readFeed(answer.content, answer.url);
    if (page === undefined) return bytes > maxFeedBytesInAll ? 'too-large' : 'not-a-feed';
    if (next !== undefined) seen.add(next);
    first ??= page;
    found.push(...page.items);
    if (found.length > maxFeedItems) return 'too-large';
    next = page.next;
  } while (next !== undefined && !seen.has(next) && seen.size < maxFeedPages);
  const { title, language, ownerEmail } = first;
  return { title, language, ownerEmail, items: found };
}

/** Stores the plan, and asks the feed's owner, in one transaction. */
async function keepPlan({ db, mail, site }: ReadingTools, row: FeedImportRow, read: Read): Promise<void> {
  const { refused } = await findWordLists(db);
  const guids = new Set<string>();
  const plan = read.items.map((item, position) => {
    const cleaned = clean(item);
    const isTwice = guids.has(cleaned.guid);
    guids.add(cleaned.guid);
    return {
      importId: row.id,
      position,
      item: cleaned,
      obstacle: isTwice ? ('twice' as const) : obstacleOf(cleaned, refused),
    };
  });
  const code = newOwnerCode();
  const language = read.language === undefined ? undefined : canonicalLanguage(read.language);
  await db.transaction(async (tx) => {
    const [held] = await tx.select({ state: imports.state }).from(imports).where(eq(imports.id, row.id)).for('update');
    if (held?.state !== 'reading') return;
    for (let from = 0; from < plan.length; from += itemsAtOnce)
      await tx.insert(items).values(plan.slice(from, from + itemsAtOnce));
    await markThoseHere(tx, row);
    if (read.catalogue !== undefined && row.isByOperator) await enterCatalogue(tx, read.catalogue);
    const { ownerEmail } = read;
    const asks = mustBeProven(row) && ownerEmail !== undefined;
    await tx
      .update(imports)
      .set({
        title: cleanLine(read.title, 200) ?? '',
        language: language ?? null,
        content: null,
        ...(asks
          ? {
              state: 'asking',
              ownerHint: maskEmail(ownerEmail),
              codeHash: hashOfCode(row.id, code),
              codeUntil: sql`now() + make_interval(hours => ${codeHours})`,
            }
          : row.runsAlone
            ? { state: 'running', startedAt: sql`now()` }
            : { state: 'planned' }),
      })
      .where(eq(imports.id, row.id));
    if (!asks) return;
    const [voice] = await tx.select({ name: voices.name }).from(voices).where(eq(voices.id, row.voiceId));
    const write = () => feedOwnerMail(site, { creator: voice?.name ?? '', code });
    await mail.queue(tx, await mailTo(tx, ownerEmail, write));
  });
}

/** In the catalogue's lengths; those of an archive have passed its forms. */
function clean(item: ImportedItem): ImportedItem {
  if (item.archived !== undefined) return item;
  const title = cleanLine(item.title, 200);
  return {
    ...item,
    title: title !== undefined && isVisible(title) ? title : undefined,
    description: cleanText(item.description, 5000),
  };
}

function obstacleOf({ sound, hasVideo, title, guid }: FeedItem, refused: string[]): ItemObstacle | null {
  if (sound === undefined || guid === '') return hasVideo ? 'video-only' : 'no-sound';
  if ((sound.bytes ?? 0) > maxUploadBytes) return 'too-large';
  return findListed(title ?? '', refused).length > 0 ? 'refused-word' : null;
}

/** Items of which an audio of this creator was made before, unless it was deleted. */
export async function markThoseHere(tx: Db, { id, voiceId }: Pick<FeedImportRow, 'id' | 'voiceId'>): Promise<void> {
  const isOpen = and(eq(items.importId, id), isNull(items.outcome), isNull(items.obstacle));
  const open = await tx
    .select({ position: items.position, guid: sql<string>`${items.item} ->> 'guid'` })
    .from(items)
    .where(isOpen);
  if (open.length === 0) return;
  const known = await tx
    .select({ guid: importedAudios.guid, audioId: audios.id })
    .from(importedAudios)
    .innerJoin(
      audios,
      and(eq(audios.id, importedAudios.audioId), eq(audios.voiceId, voiceId), isNull(audios.deletedAt)),
    );
  const byGuid = new Map(known.map(({ guid, audioId }) => [guid, audioId]));
  const here = open.flatMap(({ position, guid }) => {
    const audioId = byGuid.get(guid);
    return audioId === undefined ? [] : [{ position, audioId }];
  });
  if (here.length === 0) return;
  await tx
    .update(items)
    .set({
      outcome: 'here',
      audioId: sql`(select h.audio_id from unnest(${sql.param(here.map(({ position }) => position))}::int[],
        ${sql.param(here.map(({ audioId }) => audioId))}::uuid[]) h (position, audio_id)
        where h.position = feed_import_items.position)`,
    })
    .where(
      and(
        isOpen,
        inArray(
          items.position,
          here.map(({ position }) => position),
        ),
      ),
    );
}
