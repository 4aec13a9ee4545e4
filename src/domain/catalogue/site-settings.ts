import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../kernel/db.ts';
import { siteSettings } from '../settings/tables.ts';

const PreviewSetting = z.object({ audioId: z.uuid() });

/** The audio that operators chose as the preview. */
export async function findPreviewId(db: Db): Promise<string | undefined> {
  const [row] = await db
    .select({ value: siteSettings.value })
    .from(siteSettings)
    .where(eq(siteSettings.key, 'preview'));
  return row === undefined ? undefined : PreviewSetting.parse(row.value).audioId;
}

export async function setPreview(db: Db, audioId: string): Promise<void> {
  const value = { audioId };
  await db
    .insert(siteSettings)
    .values({ key: 'preview', value })
    .onConflictDoUpdate({ target: siteSettings.key, set: { value, updatedAt: new Date() } });
}
