import { asc, isNull, sql } from 'drizzle-orm';
import { categories, facets, playlists } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import type { OrderForm } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';

const lists = {
  category: { table: categories, name: sql<string>`label`, order: 'Order of the categories' },
  facet: { table: facets, name: sql<string>`label`, order: 'Order of the facets' },
  playlist: { table: playlists, name: sql<string>`title`, order: 'Order of the playlists' },
} as const;

/**
 * Puts all categories, facets, or playlists of the site, in order.
 * @param form.ids all that are not deleted. @returns false when there are others
 * @throws DomainError `list/changed` when there are others, or in another order, than the operator saw
 */
export async function orderByHand(db: Db, actor: Actor, kind: keyof typeof lists, { ids, before }: OrderForm) {
  if (!canAdminister(actor)) return false;
  const { table, name, order } = lists[kind];
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: table.id, name })
      .from(table)
      .where('deletedAt' in table ? isNull(table.deletedAt) : undefined)
      .orderBy(asc(table.position), asc(table.id))
      .for('no key update');
    const now = rows.map(({ id }) => id);
    const isComplete = now.length === ids.length && now.every((id) => ids.includes(id));
    if (before === undefined && !isComplete) return false;
    if (!isComplete || (before !== undefined && before.join() !== now.join()))
      throw await changedMeanwhile(tx, { type: kind, id: 'all' }, 'list/changed');
    await tx.execute(sql`
      update ${table} t set position = n.place - 1
      from unnest(${sql.param(ids)}::uuid[]) with ordinality n (id, place) where n.id = t.id and t.position <> n.place - 1`);
    const names = new Map(rows.map((row) => [row.id, row.name]));
    await recordByOperator(tx, actor, {
      action: `${kind}.order`,
      subject: { type: kind, id: 'all', name: order },
      before: { order: rows.map((row) => row.name) },
      after: { order: ids.map((id) => names.get(id)) },
    });
    return true;
  });
}
