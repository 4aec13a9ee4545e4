import { type AnyColumn, type SQL, and, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Id, ImageUrl, Slug } from '../../kernel/shapes.ts';
import { audios } from '../tables.ts';
import { creditRoles } from './rules.ts';

/** A credit as listeners see it. */
export const Credit = z.object({
  role: z.enum(creditRoles),
  name: z.string(),
  voice: z.object({ id: Id, slug: Slug, imageUrl: ImageUrl }).nullable().describe('Who has a page here'),
});
export type Credit = z.infer<typeof Credit>;

/** SQL: the credits of an audio that listeners see. A creator who is hidden is not named. */
const shownOf = (
  audioId: AnyColumn | SQL,
) => sql`from credits credit left join voices named on named.id = credit.voice_id
  where credit.audio_id = ${audioId} and credit.state = 'accepted' and credit.removed_at is null and named.hidden_at is null`;

/** SQL: credits of an audio as JSON, in their order. */
export const creditsSql = (audioId: AnyColumn | SQL) => sql<Credit[]>`(
  select coalesce(json_agg(json_build_object('role', credit.role, 'name', coalesce(credit.name, named.name),
    'voice', case when named.id is not null then
      json_build_object('id', named.id, 'slug', named.slug, 'imageUrl', '/' || named.image_key) end)
    order by credit.position, credit.id), '[]'::json) ${shownOf(audioId)})`;

/** SQL: the credited names of an audio, for search; null without any. */
export const creditedNamesSql = (audioId: SQL) =>
  sql`(select string_agg(coalesce(credit.name, named.name), ' ' order by credit.position, credit.id) ${shownOf(audioId)})`;

/** SQL condition: the audio is another creator's, and names this one. The ids come first: they are few among all audios. */
export function isCreditedTo(voiceId: string): SQL | undefined {
  const named = sql`select credit.audio_id from credits credit
    where credit.voice_id = ${voiceId} and credit.state = 'accepted' and credit.removed_at is null`;
  return and(sql`${audios.id} = any(array(${named}))`, ne(audios.voiceId, voiceId));
}
