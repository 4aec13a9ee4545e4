import { type SQL, and, eq, sql } from 'drizzle-orm';
import { isDownloadable, isPublished } from '../catalogue/audios.ts';
import { fileExtension } from '../catalogue/episodes.ts';
import { audios, voices } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import type { OpenedFeed } from './feeds.ts';
import type { FeedRecording } from './rules.ts';

/** A creator's own sound for an explaining item. */
export type Recording = { id: string; slug: string; mime: string; bytes: number; extension: string; seconds: number };

const columns = {
  welcome: voices.welcomeAudioId,
  payment: voices.paymentAudioId,
  farewell: voices.farewellAudioId,
} satisfies Record<FeedRecording, unknown>;

/** The creator of a feed, also after a merge. */
const isVoiceOf = (voiceId: string): SQL =>
  sql`${voices.id} = (select coalesce(v.merged_into, v.id) from voices v where v.id = ${voiceId})`;

/** @returns undefined when the feed is of no single creator, or they chose none that podcast apps may keep */
export async function findFeedRecording(
  db: Db,
  { kind, subjectId }: Pick<OpenedFeed, 'kind' | 'subjectId'>,
  what: FeedRecording,
): Promise<Recording | undefined> {
  if (kind !== 'voice' || subjectId === null) return undefined;
  const [row] = await db
    .select({
      id: audios.id,
      slug: audios.slug,
      mime: audios.fileMime,
      bytes: audios.fileBytes,
      extension: fileExtension,
      seconds: sql<number>`greatest(1, round(${audios.durationMs} / 1000.0))::int`,
    })
    .from(voices)
    .innerJoin(audios, and(eq(audios.id, columns[what]), eq(audios.voiceId, voices.id)))
    .where(and(isVoiceOf(subjectId), isPublished, isDownloadable));
  return row;
}
