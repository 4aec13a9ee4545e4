import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';

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

/**
 * For acts that approve a text: only the one that was read.
 * @param comment locked
 * @param read its `editedAt` then; undefined: any text
 * @throws `comment/edited`
 */
export function expectSameText(comment: { editedAt: Date | null }, read: Date | null | undefined): void {
  if (read !== undefined && comment.editedAt?.getTime() !== read?.getTime()) throw new DomainError('comment/edited');
}
