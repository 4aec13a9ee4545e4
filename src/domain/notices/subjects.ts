import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { splitPrefix } from '#formats/languages.ts';
import { type NoticeSubject, noticeSubjects } from './rules.ts';

/** The content of a notice, as it is now. */
export type Subject = {
  type: NoticeSubject;
  id: string | null;
  name: string;
  /** The creator, or the audio of a comment. */
  by: string | null;
  /** Path on the site. */
  address: string;
  imageUrl: string | null;
  durationMs: number | null;
  voiceId: string | null;
  ownerId: string | null;
};

const ofAudio = (where: SQL) => sql`
  select 'audio' as type, a.id, a.title as name, v.name as by, '/audio/' || a.slug as address, '/' || a.image_key as "imageUrl",
    a.duration_ms as "durationMs", a.voice_id as "voiceId", null::uuid as "ownerId"
  from audios a join voices v on v.id = a.voice_id where ${where}`;
const ofVoice = (where: SQL) => sql`
  select 'voice' as type, v.id, v.name, null as by, '/creators/' || v.slug as address, '/' || v.image_key as "imageUrl",
    null::int as "durationMs", v.id as "voiceId", null::uuid as "ownerId" from voices v where ${where}`;
const ofComment = (where: SQL) => sql`
  select 'comment' as type, c.id, coalesce(u.username, '') as name, a.title as by, '/audio/' || a.slug as address,
    null as "imageUrl", null::int as "durationMs", c.voice_id as "voiceId", c.user_id as "ownerId"
  from comments c join audios a on a.id = c.audio_id left join users u on u.id = c.user_id where ${where}`;
const ofPlaylist = (where: SQL) => sql`
  select 'user-playlist' as type, p.id, p.title as name, u.username as by, '/users-playlists/' || p.id as address,
    null as "imageUrl", null::int as "durationMs", null::uuid as "voiceId", p.user_id as "ownerId"
  from user_playlists p join users u on u.id = p.user_id where ${where}`;
const ofUser = (where: SQL) => sql`
  select 'user' as type, u.id, coalesce(u.username, '') as name, null as by, '/account/' || u.id as address,
    null as "imageUrl", null::int as "durationMs", null::uuid as "voiceId", u.id as "ownerId" from users u where ${where}`;

/** Listeners see it. */
const isPublic: Partial<Record<NoticeSubject, SQL>> = {
  audio: sql`a.published_at <= now()`,
  voice: sql`v.hidden_at is null`,
  comment: sql`c.removed_at is null and c.hidden_at is null and a.published_at <= now()`,
  'user-playlist': sql`p.is_public and p.deleted_at is null`,
  user: sql`u.suspended_at is null and u.profile_withheld_at is null`,
};

const byId: Partial<Record<NoticeSubject, (id: string) => SQL>> = {
  audio: (id) => ofAudio(sql`a.id = ${id}`),
  voice: (id) => ofVoice(sql`v.id = ${id}`),
  comment: (id) => ofComment(sql`c.id = ${id} and c.text is not null`),
  'user-playlist': (id) => ofPlaylist(sql`p.id = ${id}`),
  user: (id) => ofUser(sql`u.id = ${id} and u.username is not null`),
};

/** In any state, for the desk. */
export async function findSubjectById(db: Db, type: NoticeSubject, id: string | null): Promise<Subject | undefined> {
  const read = byId[type];
  if (read === undefined || id === null || !isId(id)) return undefined;
  const { rows } = await db.execute<Subject>(read(id));
  return rows[0];
}

/** Not what listeners cannot see: a report must not tell its title. */
async function findPublic(db: Db, type: NoticeSubject, query: SQL | undefined): Promise<Subject | undefined> {
  if (query === undefined) return undefined;
  const { rows } = await db.execute<Subject>(sql`${query} and ${isPublic[type] ?? sql`false`}`);
  return rows[0];
}

const paths: [RegExp, NoticeSubject, (part: string) => SQL | undefined][] = [
  [/^\/audio\/([\da-z-]+)$/i, 'audio', (slug) => ofAudio(sql`a.slug = ${slug.toLowerCase()}`)],
  [/^\/creators\/([\da-z-]+)$/i, 'voice', (slug) => ofVoice(sql`v.slug = ${slug.toLowerCase()}`)],
  [/^\/users-playlists\/([\da-f-]+)$/i, 'user-playlist', (id) => (isId(id) ? byId['user-playlist']?.(id) : undefined)],
  [/^\/account\/([\da-f-]{36})$/i, 'user', (id) => (isId(id) ? byId.user?.(id) : undefined)],
];

/**
 * @param about `comment/019a…`, as menus name content; or an address or a path of this site
 * @returns undefined for an address elsewhere, or content that does not exist
 */
export async function findSubject(db: Db, siteUrl: string, about: string): Promise<Subject | undefined> {
  const [type = '', id = ''] = about.split('/');
  const kind = noticeSubjects.find((one) => one === type);
  if (kind !== undefined && isId(id)) return findPublic(db, kind, byId[kind]?.(id));
  const own = new URL(siteUrl);
  const url = URL.parse(about.includes('://') || about.startsWith('/') ? about : `https://${about}`, own);
  if (url === null || url.host !== own.host || about.trim() === '') return undefined;
  const { path } = splitPrefix(url.pathname);
  const comment = path.startsWith('/audio/') ? (url.searchParams.get('comment') ?? '') : '';
  if (isId(comment)) return findPublic(db, 'comment', byId.comment?.(comment));
  for (const [pattern, kindOf, read] of paths) {
    const [, part] = pattern.exec(path) ?? [];
    if (part !== undefined) return findPublic(db, kindOf, read(part));
  }
  const ofPage = { name: path, by: null, imageUrl: null, durationMs: null, voiceId: null, ownerId: null };
  return { type: 'page', id: null, address: path.slice(0, 500), ...ofPage };
}
