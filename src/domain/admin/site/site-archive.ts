import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { voices } from '../../catalogue/tables.ts';
import { articles } from '../../editorial/tables.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { csvLine } from '../../kernel/csv.ts';
import type { Db } from '../../kernel/db.ts';
import { memberships, paymentCustomers, subscriptions } from '../../membership/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

/** Everything of a site that is not a creator's, for moving elsewhere as open files. */

const pageSize = 500;

/** Slugs of all creators, hidden ones too. */
async function listCreators(db: Db): Promise<string[]> {
  const rows = await db
    .select({ slug: voices.slug })
    .from(voices)
    .where(and(isNull(voices.mergedInto), isNull(voices.deletedAt)))
    .orderBy(asc(voices.slug));
  return rows.map(({ slug }) => slug);
}

function findArticles(db: Db, after: string | undefined) {
  return db
    .select({
      id: articles.id,
      slug: articles.slug,
      title: articles.title,
      description: articles.description,
      topic: articles.topic,
      language: articles.language,
      body: articles.body,
      imageKey: articles.imageKey,
      /** Null: a draft. */
      publishedAt: articles.publishedAt,
      audios: sql<string[]>`array(select a.slug from article_audios l join audios a on a.id = l.audio_id
        where l.article_id = articles.id and a.deleted_at is null order by l.position)::text[]`,
    })
    .from(articles)
    .where(and(isNull(articles.deletedAt), after === undefined ? undefined : gt(articles.id, after)))
    .orderBy(asc(articles.id))
    .limit(pageSize);
}
export type ArchivedArticle = Awaited<ReturnType<typeof findArticles>>[number];

async function* listArticles(db: Db): AsyncGenerator<ArchivedArticle> {
  let last: ArchivedArticle | undefined;
  for (;;) {
    const rows = await findArticles(db, last?.id);
    yield* rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}

const isRunning = sql`${subscriptions.status} in ('trialing', 'active', 'past-due')`;
const paidUntil = sql<string | null>`to_char(greatest(${memberships.giftUntil},
  case when ${isRunning} then coalesce(${subscriptions.endsAt}, ${subscriptions.periodEndsAt}) end)
  at time zone 'UTC', 'YYYY-MM-DD HH24:MI')`;

/** The lines that an import of members reads: whoever has time left, and customers of Stripe with a running subscription. */
async function* memberLines(db: Db): AsyncGenerator<string> {
  yield csvLine(['email', 'paid until', 'plan', 'language', 'stripe customer']);
  let last: string | undefined;
  for (;;) {
    const rows = await db
      .select({
        id: users.id,
        email: users.email,
        paidUntil,
        plan: subscriptions.period,
        language: sql<string | null>`${users.preferences} ->> 'language'`,
        customer: sql<string | null>`case when ${isRunning} and ${subscriptions.endsAt} is null
          and ${paymentCustomers.customerId} like 'cus\\_%' then ${paymentCustomers.customerId} end`,
      })
      .from(users)
      .leftJoin(memberships, eq(memberships.userId, users.id))
      .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
      .leftJoin(paymentCustomers, eq(paymentCustomers.userId, users.id))
      .where(
        and(
          isNotNull(users.email),
          isNull(users.suspendedAt),
          sql`(${memberships.giftUntil} > now() or (${isRunning} and coalesce(${subscriptions.endsAt}, ${subscriptions.periodEndsAt}) > now()))`,
          last === undefined ? undefined : gt(users.id, last),
        ),
      )
      .orderBy(asc(users.id))
      .limit(pageSize);
    yield rows.map((row) => csvLine([row.email, row.paidUntil, row.plan, row.language, row.customer])).join('');
    if (rows.length < pageSize) return;
    last = rows.at(-1)?.id;
  }
}

/** Opens what a site takes along; for operators, and noted in the log. */
export async function openSiteArchive(db: Db, actor: Actor) {
  administratorsOnly(actor);
  await db.transaction((tx) =>
    recordByOperator(tx, actor, { action: 'site.move-out', subject: { type: 'site', id: 'site', name: '' } }),
  );
  return {
    creators: await listCreators(db),
    articles: () => listArticles(db),
    members: () => memberLines(db),
  };
}
export type SiteArchive = Awaited<ReturnType<typeof openSiteArchive>>;
