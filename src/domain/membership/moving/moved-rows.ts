import { eq } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { movedSubscriptions } from './tables.ts';

export type MovedRow = typeof movedSubscriptions.$inferSelect;

export async function note(db: Db, { id }: Pick<MovedRow, 'id'>, change: Partial<MovedRow>): Promise<void> {
  await db.update(movedSubscriptions).set(change).where(eq(movedSubscriptions.id, id));
}

export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
