import { and, eq, sql } from 'drizzle-orm';
import { type Episode, type EpisodeSource, hasAudio, listEpisodes, numberEpisodes } from '../catalogue/episodes.ts';
import { audios } from '../catalogue/tables.ts';
import { isNotHidden } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import type { OpenedFeed } from './feeds.ts';
import { findFeedRecording } from './recordings.ts';
import { maxEpisodes } from './rules.ts';
import { type Subject, findSubject } from './subjects.ts';

export type FeedContent = {
  /** Undefined for `all` and `library`. */
  subject: Subject | undefined;
  episodes: Episode[];
  /** The episode with which the creator welcomes listeners. */
  welcomeId?: string | undefined;
};

const newestFirst = sql`${audios.publishedAt} desc, ${audios.id} desc`;

/** Hidden tags and languages apply as in the site's lists: not to the Library, nor to a listener's own playlist. */
function sourceOf({ kind, subjectId, viewer }: OpenedFeed): EpisodeSource {
  const isShown = isNotHidden(viewer, audios.id);
  switch (kind) {
    case 'all':
      return { where: isShown, order: newestFirst };
    case 'voice':
      return {
        where: and(eq(audios.voiceId, subjectId ?? ''), isShown),
        order: newestFirst,
        number: sql`(select n.number from episode_numbers n where n.voice_id = ${audios.voiceId} and n.audio_id = ${audios.id})`,
      };
    case 'series':
      return {
        join: sql`join series_items item on item.audio_id = ${audios.id} and item.series_id = ${subjectId}`,
        where: isShown,
        order: sql`item.position`,
        // Drafts count too, so that part 3 stays part 3.
        number: sql`item.position + 1`,
      };
    case 'library':
      return {
        join: sql`join audio_favorites item on item.content_id = ${audios.id} and item.user_id = ${viewer.id}`,
        where: undefined,
        order: sql`item.created_at desc, ${audios.id} desc`,
      };
    case 'playlist':
      return {
        join: sql`join playlist_items item on item.audio_id = ${audios.id} and item.playlist_id = ${subjectId}`,
        where: isShown,
        order: sql`item.position`,
      };
    case 'userPlaylist':
      return {
        join: sql`join user_playlist_items item on item.audio_id = ${audios.id} and item.user_playlist_id = ${subjectId}
          join user_playlists list on list.id = item.user_playlist_id`,
        where: sql`(list.user_id = ${viewer.id} or ${isShown ?? sql`true`})`,
        order: sql`item.position`,
      };
  }
}

/**
 * The feed with the current id of its subject, because a voice may be merged.
 * @returns undefined when its voice, series or playlist is no longer shown to its user
 */
async function findCurrent(db: Db, feed: OpenedFeed): Promise<{ feed: OpenedFeed; subject?: Subject } | undefined> {
  if (feed.subjectId === null) return { feed };
  const subject = await findSubject(db, feed.viewer, feed.kind, feed.subjectId);
  return subject && { feed: { ...feed, subjectId: subject.id }, subject };
}

/** @returns undefined when its voice, series or playlist no longer exists */
export async function findContent(db: Db, opened: OpenedFeed): Promise<FeedContent | undefined> {
  const current = await findCurrent(db, opened);
  if (current === undefined) return undefined;
  const { feed, subject } = current;
  const source = sourceOf(feed);
  const [episodes, welcome] = await Promise.all([
    listEpisodes(db, source, maxEpisodes),
    findFeedRecording(db, feed, 'welcome'),
  ]);
  const found = { subject, episodes, welcomeId: welcome?.id };
  if (feed.kind !== 'voice' || episodes.every(({ number }) => number !== null)) return found;
  await numberEpisodes(db, feed.subjectId ?? undefined);
  return { ...found, episodes: await listEpisodes(db, source, maxEpisodes) };
}

/** Whether the feed contains this audio now. */
export async function feedHas(db: Db, feed: OpenedFeed, audioId: string): Promise<boolean> {
  const current = isId(audioId) ? await findCurrent(db, feed) : undefined;
  return current !== undefined && hasAudio(db, sourceOf(current.feed), audioId);
}
