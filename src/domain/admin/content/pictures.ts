import { and, eq, isNull, sql } from 'drizzle-orm';
import { imageUrl } from '../../catalogue/audios.ts';
import { categories, playlists } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { type Db, isNamed } from '../../kernel/db.ts';
import { type NotAPicture, type PictureTools, withPicture } from '../../studio/pictures.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

/** `picture`: null removes it. `before`: address of the picture that the operator saw; absent: not checked. */
export type PictureChange = { picture: Uint8Array | null; before?: string | null | undefined };

type Outcome = { ok: true; slug: string } | NotAPicture | { ok: false; reason: 'not-found' };

/** A playlist's own picture replaces the portraits of its creators. */
const kinds = {
  category: { table: categories, name: sql<string>`label` },
  playlist: { table: playlists, name: sql<string>`title` },
} as const;

/** Gives a category, or a playlist of the site, a picture. */
export async function setPicture(
  tools: PictureTools,
  actor: Actor,
  kind: keyof typeof kinds,
  idOrSlug: string,
  { picture, before }: PictureChange,
): Promise<Outcome> {
  administratorsOnly(actor);
  const { table, name } = kinds[kind];
  const isIt = isNamed(table, idOrSlug);
  // Before the picture is read and stored.
  if (isIt === undefined) return { ok: false, reason: 'not-found' };
  const find = async (tx: Db) => {
    const [row] = await tx
      .select({ id: table.id, slug: table.slug, name, imageKey: table.imageKey })
      .from(table)
      .where(and(isIt, isNull(table.deletedAt)))
      .for('no key update');
    return row;
  };
  return withPicture<Outcome>(tools, picture, find, async (tx, kept) => {
    const row = await find(tx);
    if (row === undefined) return { ok: false, reason: 'not-found' };
    const subject = { type: kind, id: row.id };
    if (before !== undefined && before !== imageUrl(row.imageKey))
      throw await changedMeanwhile(tx, subject, 'picture/changed');
    await tx.update(table).set(kept).where(eq(table.id, row.id));
    await recordByOperator(tx, actor, {
      action: `${kind}.edit`,
      subject: { ...subject, name: row.name },
      before: { imageKey: row.imageKey },
      after: { imageKey: kept.imageKey },
    });
    return { ok: true, slug: row.slug };
  });
}
