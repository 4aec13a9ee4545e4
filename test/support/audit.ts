import { eq } from 'drizzle-orm';
import { auditEntries } from '#domain/kernel/audit.ts';
import type { Db } from '#domain/kernel/db.ts';

/** Names of the acts that the log has about this subject, oldest first. */
export async function actionsAbout(db: Db, subjectId: string): Promise<string[]> {
  const rows = await db
    .select({ action: auditEntries.action })
    .from(auditEntries)
    .where(eq(auditEntries.subjectId, subjectId))
    .orderBy(auditEntries.id);
  return rows.map(({ action }) => action);
}
