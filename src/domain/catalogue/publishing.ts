import type { SQL } from 'drizzle-orm';
import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../db.ts';
import { isId, isSlug } from '../ids.ts';
import type { Page } from '../pages.ts';
import { decodeCursor, encodeCursor, toPage } from '../pages.ts';
import { findPreviewId, setPreview } from './site-settings.ts';
import { audios, voices } from './tables.ts';

/** An audio as its makers see it: published or not, and what listeners may do with it. */
export type AudioState = {
  id: string;
  slug: string;
  title: string;
  voice: { slug: string; name: string };
  state: 'draft' | 'scheduled' | 'published';
  /** ISO 8601, UTC; null for a draft. */
  publishedAt: string | null;
  isFree: boolean;
  isPreview: boolean;
  commentsDisabled: boolean;
  /** Seconds. */
  numberDuration: number;
};

export type PublishingResult =
  | { ok: true; audio: AudioState; changed: boolean }
  | { ok: false; reason: 'not-found' | 'not-published' };

function selectStates(db: Db) {
  return db
    .select({
      id: audios.id,
      slug: audios.slug,
      title: audios.title,
      voiceSlug: voices.slug,
      voiceName: voices.name,
      publishedAt: audios.publishedAt,
      state: sql<
        AudioState['state']
      >`case when ${audios.publishedAt} is null then 'draft' when ${audios.publishedAt} > now() then 'scheduled' else 'published' end`,
      isFree: audios.isFree,
      isPreview: sql<boolean>`exists (select from site_settings s where s.key = 'preview' and s.value ->> 'audioId' = ${audios.id}::text)`,
      commentsDisabled: audios.commentsDisabled,
      durationMs: audios.durationMs,
    })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .$dynamic();
}

function toState({
  voiceSlug,
  voiceName,
  publishedAt,
  durationMs,
  ...row
}: Awaited<ReturnType<typeof selectStates>>[number]): AudioState {
  return {
    ...row,
    voice: { slug: voiceSlug, name: voiceName },
    publishedAt: publishedAt?.toISOString() ?? null,
    numberDuration: Math.round(durationMs / 10) / 100,
  };
}

/** Every audio, or only what is not out yet; in the order they were made. */
export async function listAudioStates(
  db: Db,
  query: { unpublishedOnly?: boolean; cursor?: string | undefined; limit: number },
): Promise<Page<AudioState>> {
  const after = decodeCursor('audio-states', query.cursor, z.string());
  const rows = await selectStates(db)
    .where(
      and(
        query.unpublishedOnly === true ? or(isNull(audios.publishedAt), gt(audios.publishedAt, sql`now()`)) : undefined,
        after === undefined ? undefined : gt(audios.id, after.id),
      ),
    )
    .orderBy(asc(audios.id))
    .limit(query.limit + 1);
  return toPage(rows, query.limit, toState, (row) => encodeCursor('audio-states', { value: '', id: row.id }));
}

async function findState(db: Db, idOrSlug: string): Promise<AudioState | undefined> {
  const match = isId(idOrSlug) ? eq(audios.id, idOrSlug) : isSlug(idOrSlug) ? eq(audios.slug, idOrSlug) : undefined;
  if (match === undefined) return undefined;
  const [row] = await selectStates(db).where(match).limit(1);
  return row === undefined ? undefined : toState(row);
}

type Changes = { publishedAt?: Date | SQL | null; isFree?: boolean; commentsDisabled?: boolean };

/** The database's clock, which also says what is out; cut and not rounded, so that it is never a moment ahead. */
export const publishedNow: SQL = sql`date_trunc('milliseconds', now())`;

/** @param decide what to change; nothing leaves the row, and with it every cache, as it was */
async function change(
  db: Db,
  idOrSlug: string,
  decide: (audio: AudioState) => Changes | undefined,
): Promise<PublishingResult> {
  return db.transaction(async (tx) => {
    const found = await findState(tx, idOrSlug);
    if (found === undefined) return { ok: false, reason: 'not-found' };
    // Locked before it is looked at again, so that two acts on one audio come one after the other.
    await tx.execute(sql`select from audios where id = ${found.id} for no key update`);
    const audio = (await findState(tx, found.id)) ?? found;
    const changes = decide(audio);
    if (changes === undefined) return { ok: true, audio, changed: false };
    await tx.update(audios).set(changes).where(eq(audios.id, audio.id));
    return { ok: true, audio: (await findState(tx, audio.id)) ?? audio, changed: true };
  });
}

/** @param at when it comes out; without it now, and what is out already keeps its date */
export function publishAudio(db: Db, idOrSlug: string, at?: Date): Promise<PublishingResult> {
  return change(db, idOrSlug, (audio) => {
    if (at === undefined) return audio.state === 'published' ? undefined : { publishedAt: publishedNow };
    return audio.publishedAt === at.toISOString() ? undefined : { publishedAt: at };
  });
}

export function unpublishAudio(db: Db, idOrSlug: string): Promise<PublishingResult> {
  return change(db, idOrSlug, (audio) => (audio.state === 'draft' ? undefined : { publishedAt: null }));
}

export function setAudioFree(db: Db, idOrSlug: string, isFree: boolean): Promise<PublishingResult> {
  return change(db, idOrSlug, (audio) => (audio.isFree === isFree ? undefined : { isFree }));
}

export function setCommentsDisabled(db: Db, idOrSlug: string, commentsDisabled: boolean): Promise<PublishingResult> {
  return change(db, idOrSlug, (audio) =>
    audio.commentsDisabled === commentsDisabled ? undefined : { commentsDisabled },
  );
}

/** Names the one audio that anyone may hear; it has to be out, or the front page would have none. */
export async function choosePreview(db: Db, idOrSlug: string): Promise<PublishingResult> {
  const audio = await findState(db, idOrSlug);
  if (audio === undefined) return { ok: false, reason: 'not-found' };
  if (audio.state !== 'published') return { ok: false, reason: 'not-published' };
  if ((await findPreviewId(db)) === audio.id) return { ok: true, audio, changed: false };
  await setPreview(db, audio.id);
  return { ok: true, audio: { ...audio, isPreview: true }, changed: true };
}
