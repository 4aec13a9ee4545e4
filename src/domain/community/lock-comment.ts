import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';

/**
 * Locks a comment, and before it its thread, which is older: everybody locks in id order, against deadlocks.
 * @param strength `no key update` for changes that others may refer to meanwhile
 */
export async function lockComment(
  tx: Db,
  { id, parentId }: { id: string; parentId: string | null },
  strength: 'update' | 'no key update' = 'update',
): Promise<void> {
  await tx.execute(sql`
    select from comments where id = any(${sql.param([parentId ?? id, id])}::uuid[]) order by id for ${sql.raw(strength)}`);
}
