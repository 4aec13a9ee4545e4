import { asc, eq, sql } from 'drizzle-orm';
import { editPlaylist, setPlaylistAudios } from '#domain/admin/content/house-playlist-changes.ts';
import { setOwner } from '#domain/admin/content/voices.ts';
import { audios, playlistItems, playlists, voices } from '#domain/catalogue/tables.ts';
import { voiceOwners } from '#domain/community/tables.ts';
import { users } from '#domain/identity/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newIdAt } from '#domain/kernel/ids.ts';
import type { User, VoiceRole } from '#domain/kernel/viewer.ts';
import { publishChanges, saveAudio } from '#domain/studio/audios/drafts.ts';
import { people } from './people.ts';

/**
 * Changes by the demo's admin and creator, made with the real functions, so that the log has entries. An act on content
 * missing from the demo is skipped.
 */
export async function addDemoActs(tx: Db, { creator, voice }: { creator: string; voice: string }): Promise<void> {
  const admin = await findActor(tx, 'admin');
  const [{ id: voiceId } = {}] = await tx.select({ id: voices.id }).from(voices).where(eq(voices.slug, voice));
  if (admin === undefined || voiceId === undefined) return;
  await setOwner(tx, admin, voiceId, { account: creator, isOwner: true });

  const winter = await findPlaylist(tx, 'winter-evenings');
  if (winter !== undefined)
    await editPlaylist(tx, admin, winter, {
      description: 'Recording starts with the first frost. Until then the list is empty, and the evenings are yours.',
    });

  const first = await findPlaylist(tx, 'start-here');
  if (first !== undefined) {
    const items = await tx
      .select({ id: playlistItems.audioId })
      .from(playlistItems)
      .where(eq(playlistItems.playlistId, first))
      .orderBy(asc(playlistItems.position));
    const before = items.map(({ id }) => id);
    const last = before.at(-1);
    // The last one moves to the second-last place.
    if (last !== undefined)
      await setPlaylistAudios(tx, admin, first, { audioIds: before.toSpliced(-1, 1).toSpliced(-1, 0, last), before });
  }

  const owner = await findActor(tx, creator);
  const [audio] = await tx.select({ id: audios.id }).from(audios).where(eq(audios.slug, 'go-from-me'));
  if (owner === undefined || audio === undefined) return;
  const tags = ['Elizabeth Barrett Browning', 'sonnet', 'parting', 'distance'];
  const saved = await saveAudio(tx, owner, audio.id, { version: 0, change: { tags } });
  if (saved.ok) await publishChanges(tx, owner, audio.id, saved.version);
}

async function findActor(tx: Db, username: string): Promise<User | undefined> {
  const [user] = await tx
    .select({ id: users.id, isAdmin: users.isAdmin })
    .from(users)
    .where(eq(users.username, username));
  if (user === undefined) return undefined;
  const roles = await tx.select().from(voiceOwners).where(eq(voiceOwners.userId, user.id));
  const voiceRoles = Object.fromEntries(roles.map(({ voiceId, role }): [string, VoiceRole] => [voiceId, role]));
  const { id, isAdmin } = user;
  return { kind: 'user', id, isSubscribed: false, isComplete: true, ...(isAdmin && { isAdmin }), voiceRoles };
}

async function findPlaylist(tx: Db, slug: string): Promise<string | undefined> {
  const [row] = await tx.select({ id: playlists.id }).from(playlists).where(eq(playlists.slug, slug));
  return row?.id;
}

const hourMs = 60 * 60 * 1000;

/** Gives the operator reports to decide. Skips audios and people that are no longer in the demo. */
export async function addDemoReports(tx: Db, now: Date): Promise<void> {
  for (const { audio, by, hours, text, reports } of people.reportedComments) {
    const wroteAt = new Date(now.getTime() - hours * hourMs);
    const { rows } = await tx.execute<{ id: string; createdAt: string }>(sql`
      insert into comments (id, audio_id, user_id, text, created_at)
      select ${newIdAt(wroteAt)}, a.id, u.id, ${text}, greatest(${wroteAt.toISOString()}::timestamptz, a.published_at + interval '1 minute')
      from audios a, users u
      where a.slug = ${audio} and a.published_at is not null and u.username = ${by} and u.identity_provider is null
      returning id, created_at as "createdAt"`);
    for (const comment of rows)
      for (const { by: reporter, reason, details } of reports)
        await tx.execute(sql`
          insert into comment_reports (comment_id, user_id, reason, details, created_at)
          select ${comment.id}, id, ${reason}, ${details ?? null},
            ${comment.createdAt}::timestamptz + (${now.toISOString()}::timestamptz - ${comment.createdAt}::timestamptz) / 2
          from users where username = ${reporter}`);
  }
}
