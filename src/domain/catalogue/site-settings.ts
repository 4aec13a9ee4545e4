import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../kernel/db.ts';
import { siteSettings } from '../settings/tables.ts';

const PreviewSetting = z.object({ audioId: z.uuid() });

/** The audio that operators chose as the preview. */
export async function findPreviewId(db: Db): Promise<string | undefined> {
  return (await findPreview(db)).audioId;
}

export type PreviewChange = {
  /** The operator's account. */
  changedBy?: string | null | undefined;
  /** Revision that the operator saw; absent: not checked. */
  revision?: number | undefined;
};

/** @returns false after a concurrent change */
export async function setPreview(
  db: Db,
  audioId: string,
  { changedBy = null, revision }: PreviewChange = {},
): Promise<boolean> {
  const value = { audioId };
  return db.transaction(async (tx) => {
    // Two concurrent first choices find no row to lock.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('site_settings preview'))`);
    const [row] = await tx
      .select({ revision: siteSettings.revision })
      .from(siteSettings)
      .where(eq(siteSettings.key, 'preview'));
    if (revision !== undefined && revision !== (row?.revision ?? 0)) return false;
    await tx
      .insert(siteSettings)
      .values({ key: 'preview', value, changedBy })
      .onConflictDoUpdate({
        target: siteSettings.key,
        set: { value, changedBy, revision: sql`${siteSettings.revision} + 1`, updatedAt: sql`now()` },
      });
    return true;
  });
}

/** For the page that changes it. `revision` is 0 when none was chosen. */
export async function findPreview(
  db: Db,
): Promise<{ audioId: string | undefined; revision: number; changedBy: string | null; changedAt: Date | null }> {
  const [row] = await db.select().from(siteSettings).where(eq(siteSettings.key, 'preview'));
  return {
    audioId: row && PreviewSetting.parse(row.value).audioId,
    revision: row?.revision ?? 0,
    changedBy: row?.changedBy ?? null,
    changedAt: row?.updatedAt ?? null,
  };
}
