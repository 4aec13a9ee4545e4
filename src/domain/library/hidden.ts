import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { imageUrlSql, isPublished } from '../catalogue/audios.ts';
import { audios, hiddenAudios, hiddenVoices, voices } from '../catalogue/tables.ts';
import { countedAudios } from '../catalogue/totals.ts';
import { mayHide } from '../catalogue/visibility.ts';
import { type Db, pick } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { listHiddenTags } from './hidden-tags.ts';
import { type HiddenKind, maxHidden } from './rules.ts';
import { hiding } from './set-hidden.ts';

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
    const { table, subject } = hiding[one.kind];
    if ((await db.$count(table, and(eq(table.userId, viewer.id), eq(subject, one.id)))) === 1) return one;
  }
  return undefined;
}
