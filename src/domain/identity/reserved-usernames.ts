import { sql } from 'drizzle-orm';
import type { IdentityParts } from './parts.ts';

/** Usernames that could pass for the site's staff. */
const official = [
  'abuse admin administrator billing contact help helpdesk info mod moderation moderator noreply official operator',
  'payments postmaster privacy root security sotto staff support sysadmin system team webmaster',
]
  .join(' ')
  .split(' ');

export type ReservedNames = Pick<IdentityParts, 'db' | 'siteName' | 'userSql'>;

/**
 * Whether a username could impersonate the site, or a voice that this user does not own. Operator commands skip this
 * check.
 */
export async function isUsernameReserved(
  { db, siteName, userSql }: ReservedNames,
  username: string,
  userId?: string,
): Promise<boolean> {
  const reserved = new Set([...official, siteName].map(skeletonOf));
  const skeletons = [skeletonOf(username), skeletonOf(username.replace(/(?<!\d)\d+$/, ''))];
  const parts = username.split(/[._-]+/).filter((part) => part !== '');
  if (skeletons.some((skeleton) => reserved.has(skeleton))) return true;
  if (parts.length > 0 && parts.every((part) => reserved.has(skeletonOf(part)))) return true;
  const slugSkeleton = sql`replace(replace(translate(slug, ${`${lookAlikes.from}-`}, ${lookAlikes.to}), 'rn', 'm'), 'vv', 'w')`;
  const { rowCount } = await db.execute(
    sql`select from ${userSql.othersSlugs(userId)} as others where ${slugSkeleton} = ${skeletons[0]} limit 1`,
  );
  return rowCount === 1;
}

const lookAlikes = { from: '013457l', to: 'oieasti' };

/** Folds look-alikes: drops case, accents and separators, reads `1` and `l` as `i`, `rn` as `m`. */
function skeletonOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .replaceAll(/[013457l]/g, (letter) => lookAlikes.to[lookAlikes.from.indexOf(letter)] ?? letter)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}
