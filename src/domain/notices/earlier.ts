import { and, desc, eq, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import type { User } from '../kernel/viewer.ts';
import type { NoticeParts } from './parts.ts';
import { type NoticeVerb, numberOf } from './rules.ts';
import type { Subject } from './subjects.ts';
import { notices } from './tables.ts';
import { tokenOf } from './tokens.ts';

/**
 * The viewer’s last report about the same content, which may be hidden since.
 * @param about the content, or its name in a menu, such as `audio/019a…`
 */
export async function findOwnReport(
  { db, secret }: Pick<NoticeParts, 'db' | 'secret'>,
  viewer: User,
  about: Subject | string,
) {
  const [named, namedId = ''] = typeof about === 'string' ? about.split('/') : [];
  if (typeof about === 'string' && !isId(namedId)) return undefined;
  const { type, id, address } = typeof about === 'string' ? { type: named, id: namedId, address: '' } : about;
  const isSame = id === null ? eq(notices.address, address) : eq(notices.subjectId, id);
  const [own] = await db
    .select({ id: notices.id, number: notices.number, createdAt: notices.createdAt })
    .from(notices)
    .where(and(eq(notices.reporterId, viewer.id), sql`${notices.subjectType} = ${type}`, isSame))
    .orderBy(desc(notices.number))
    .limit(1);
  return own && { number: numberOf(own), at: own.createdAt, token: tokenOf(secret, own.id, 'reporter') };
}
export type OwnReport = NonNullable<Awaited<ReturnType<typeof findOwnReport>>>;

type Reported = Pick<typeof notices.$inferSelect, 'id' | 'email' | 'network'>;

/** Other notices by the same email or from the same network, newest first, without saying who it is. */
export async function listFromSame(db: Db, { id, email, network }: Reported) {
  const ofEmail = email === null ? undefined : eq(notices.email, email);
  const ofNetwork = network === null ? undefined : eq(notices.network, network);
  if (ofEmail === undefined && ofNetwork === undefined) return [];
  const rows = await db
    .select({
      id: notices.id,
      number: notices.number,
      createdAt: notices.createdAt,
      subject: { type: notices.subjectType, name: notices.subjectName },
      kind: notices.kind,
      isSameEmail: sql<boolean>`${ofEmail ?? sql`false`}`,
      isSameNetwork: sql<boolean>`${ofNetwork ?? sql`false`}`,
      verb: sql<NoticeVerb | null>`(select d.verb from notice_decisions d
        where d.notice_id = notices.id and d.undone_at is null order by d.id desc limit 1)`,
    })
    .from(notices)
    .where(and(or(ofEmail, ofNetwork), ne(notices.id, id)))
    .orderBy(desc(notices.number))
    .limit(50);
  return rows.map(({ number, ...row }) => ({ ...row, number: numberOf({ number, createdAt: row.createdAt }) }));
}
