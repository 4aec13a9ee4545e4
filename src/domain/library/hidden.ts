import { type SQL, and, desc, eq, isNull, sql } from 'drizzle-orm';
import { imageUrlSql, isPublished } from '../catalogue/audios.ts';
import { audios, hiddenAudios, hiddenVoices, voices } from '../catalogue/tables.ts';
import { countedAudios } from '../catalogue/totals.ts';
import { mayHide } from '../catalogue/visibility.ts';
import { type Db, pick } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type LeaveOutOutcome, listHiddenTags } from './hidden-tags.ts';
import { type HiddenKind, maxHidden } from './rules.ts';

const kinds = {
  audio: { table: hiddenAudios, subject: hiddenAudios.audioId, column: sql.raw('audio_id') },
  voice: { table: hiddenVoices, subject: hiddenVoices.voiceId, column: sql.raw('voice_id') },
};

/** SQL query for the id of what can be hidden: drafts cannot, so that nobody learns of them. */
const shownSubject: Record<HiddenKind, (id: string) => SQL> = {
  audio: (id) => sql`select ${audios.id} from ${audios} where ${audios.id} = ${id} and ${isPublished}`,
  voice: (id) => sql`select ${voices.id} from ${voices} where ${voices.id} = ${id} and ${voices.hiddenAt} is null`,
};

/** Idempotent. What was unpublished meanwhile can still be shown again. */
export async function setHidden(
  db: Db,
  userId: string,
  { kind, id, isHidden }: { kind: HiddenKind; id: string; isHidden: boolean },
): Promise<LeaveOutOutcome> {
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  const { table, subject, column } = kinds[kind];
  const own = and(eq(table.userId, userId), eq(subject, id));
  if (!isHidden) {
    await db.delete(table).where(own);
    return { ok: true };
  }
  return db.transaction(async (tx): Promise<LeaveOutOutcome> => {
    // The user's row, so that two calls at once respect the limit.
    await tx.execute(sql`select from users where id = ${userId} for no key update`);
    if ((await tx.$count(table, own)) === 1) return { ok: true };
    const { rows } = await tx.execute(shownSubject[kind](id));
    if (rows.length === 0) return { ok: false, reason: 'not-found' };
    if ((await tx.$count(table, eq(table.userId, userId))) >= maxHidden[kind]) return { ok: false, reason: 'full' };
    await tx.execute(sql`
      insert into ${table} (user_id, ${column}) select u.id, ${id} from users u where u.id = ${userId} on conflict do nothing`);
    return { ok: true };
  });
}

/** Everything that this user hides; newest first, tags A–Z. Unpublished audios and hidden creators are left out. */
export async function listHidden(db: Db, userId: string) {
  const [ofAudios, ofVoices, tags] = await Promise.all([
    db
      .select({
        ...pick(audios, 'id', 'slug', 'title', 'color'),
        imageUrl: imageUrlSql(audios.imageKey),
        voice: pick(voices, 'id', 'slug', 'name'),
        hiddenAt: hiddenAudios.createdAt,
      })
      .from(hiddenAudios)
      .innerJoin(audios, and(eq(audios.id, hiddenAudios.audioId), isPublished))
      .innerJoin(voices, eq(voices.id, audios.voiceId))
      .where(eq(hiddenAudios.userId, userId))
      .orderBy(desc(hiddenAudios.createdAt), desc(hiddenAudios.audioId))
      .limit(maxHidden.audio),
    db
      .select({
        ...pick(voices, 'id', 'slug', 'name', 'color'),
        imageURL: imageUrlSql(voices.imageKey),
        totalAudios: countedAudios(
          'voice',
          sql`${voices.id}`,
          sql`select count(*)::int from audios a where a.voice_id = ${voices.id} and a.published_at <= now()`,
        ),
        hiddenAt: hiddenVoices.createdAt,
      })
      .from(hiddenVoices)
      .innerJoin(voices, and(eq(voices.id, hiddenVoices.voiceId), isNull(voices.hiddenAt)))
      .where(eq(hiddenVoices.userId, userId))
      .orderBy(desc(hiddenVoices.createdAt), desc(hiddenVoices.voiceId))
      .limit(maxHidden.voice),
    listHiddenTags(db, userId),
  ]);
  return { audios: ofAudios, voices: ofVoices, tags };
}

export type HiddenSubject = { kind: HiddenKind; id: string; name: string };

/** The first of these that this viewer hides, for pages that are opened by their address. */
export async function findFirstHidden(
  db: Db,
  viewer: Viewer,
  subjects: readonly HiddenSubject[],
): Promise<HiddenSubject | undefined> {
  if (!mayHide(viewer)) return undefined;
  for (const one of subjects) {
    const { table, subject } = kinds[one.kind];
    if ((await db.$count(table, and(eq(table.userId, viewer.id), eq(subject, one.id)))) === 1) return one;
  }
  return undefined;
}
