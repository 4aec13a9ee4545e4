import { and, eq, isNull, sql } from 'drizzle-orm';
import { articles } from '../../editorial/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

type ArticleRow = typeof articles.$inferSelect;

/** Changes one article in one transaction with its entry in the log. */
export async function changeArticle(
  db: Db,
  actor: Actor,
  id: string,
  seen: number,
  action: `article.${string}`,
  change: (
    tx: Db,
    before: ArticleRow,
  ) => Promise<{ set: Parameters<ReturnType<Db['update']>['set']>[0]; audios?: { before: string[]; after: string[] } }>,
): Promise<number> {
  administratorsOnly(actor);
  if (!isId(id)) throw new DomainError('request/not-found');
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(articles)
      .where(and(eq(articles.id, id), isNull(articles.deletedAt)))
      .for('no key update');
    if (before === undefined) throw new DomainError('request/not-found');
    if (before.revision !== seen)
      throw await changedMeanwhile(tx, { type: 'article', id }, 'article/changed-meanwhile');
    const { set, audios: linked } = await change(tx, before);
    const [after] = await tx
      .update(articles)
      .set({ ...set, revision: seen + 1, updatedAt: sql`now()` })
      .where(eq(articles.id, id))
      .returning();
    if (after === undefined) throw new Error('An article was not written');
    await recordByOperator(tx, actor, {
      action,
      subject: { type: 'article', id, name: before.title },
      before: { ...articleFacts(before), ...(linked && { audioIds: linked.before }) },
      after: { ...articleFacts(after), ...(linked && { audioIds: linked.after }) },
    });
    return after.revision;
  });
}

export function articleFacts({ title, slug, description, body, topic, imageKey, publishedAt }: ArticleRow) {
  return { title, slug, description, topic, imageKey, body, publishedAt: publishedAt && publishedAt.toISOString() };
}
