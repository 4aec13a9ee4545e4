import { eq, sql } from 'drizzle-orm';
import { comments } from '#domain/community/tables.ts';
import { avatarColorOf } from '#domain/identity/rules.ts';
import { users } from '#domain/identity/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newIdAt } from '#domain/kernel/ids.ts';
import { userPlaylistCounts, userPlaylistItems, userPlaylists } from '#domain/library/tables.ts';
import { type DemoComment, find } from './catalogue.ts';
import type { Demo } from './catalogue-rows.ts';

const hourMs = 60 * 60 * 1000;

/** Users, with their playlists and comments. */
export async function insertListeners(tx: Db, demo: Demo, publishedAt: Map<string, Date>): Promise<void> {
  const { catalogue, idOf, random } = demo;
  await tx.insert(users).values(
    catalogue.users.map(({ username, color }) => ({
      id: idOf('user', username),
      username,
      color: avatarColorOf(color),
    })),
  );
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
      .where(eq(userPlaylistCounts.userPlaylistId, idOf('user playlist', title)));
  }
  const threads = catalogue.comments.map(({ audio, replies, ...top }) => {
    const place = { audio, publishedAt: find(publishedAt, audio) };
    const first = commentRow(demo, top, { ...place, parentId: null });
    return { first, replies: replies.map((reply) => commentRow(demo, reply, { ...place, parentId: first.id })) };
  });
  await tx.insert(comments).values(threads.map(({ first }) => first));
  await tx.insert(comments).values(threads.flatMap(({ replies }) => replies));
  await ageAuthors(tx);
}

/** Nobody comments before they have an account: the invented ones are some weeks older than their first comment. */
export async function ageAuthors(tx: Db): Promise<void> {
  await tx.execute(sql`
    update users u set created_at = c.first - make_interval(days => 3 + length(u.username) * 2)
    from (select user_id, min(created_at) as first from comments group by user_id) c
    where c.user_id = u.id and u.identity_provider is null and u.created_at > c.first`);
}

function commentRow(
  { idOf, now }: Demo,
  { user, hours, text }: DemoComment,
  place: { audio: string; publishedAt: Date; parentId: string | null },
) {
  const audioHours = (now.getTime() - place.publishedAt.getTime()) / hourMs;
  const age = commentAge(hours, audioHours);
  const createdAt = new Date(now.getTime() - age * hourMs);
  return {
    id: newIdAt(createdAt),
    audioId: idOf('audio', place.audio),
    parentId: place.parentId,
    userId: idOf('user', user),
    text,
    language: 'en',
    createdAt,
  };
}

/**
 * Age of a comment in hours: less than the audio's and, for a reply, less than the answered comment's, which has larger
 * `hours`.
 */
function commentAge(hours: number, audioHours: number): number {
  return hours < audioHours ? hours : (audioHours * hours) / (hours + audioHours);
}
