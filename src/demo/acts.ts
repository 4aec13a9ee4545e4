import { asc, eq } from 'drizzle-orm';
import { editPlaylist, setPlaylistAudios } from '#domain/admin/content/house-playlist-changes.ts';
import { setOwner } from '#domain/admin/content/voices.ts';
import { audios, playlistItems, playlists, voices } from '#domain/catalogue/tables.ts';
import { voiceOwners } from '#domain/community/tables.ts';
import { users } from '#domain/identity/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { User, VoiceRole } from '#domain/kernel/viewer.ts';
import { publishChanges, saveAudio } from '#domain/studio/audios/drafts.ts';

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
