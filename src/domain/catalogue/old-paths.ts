import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { withoutEndSlashes } from '#formats/own-path.ts';
import type { Db } from '../kernel/db.ts';
import { audios, oldPaths } from './tables.ts';

const maxLength = 500;
const maxListed = 20_000;

/**
 * The path of an item’s page at its former host.
 * @returns undefined for a start page, and for one that only its query names
 */
export function pathOfOldPage(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? '');
  if (url === null || url.search !== '') return undefined;
  const path = withoutEndSlashes(url.pathname);
  return path === '' || path.length > maxLength ? undefined : path;
}

/** The audio whose page was there before its domain moved here. @returns its slug */
export async function findOldPath(db: Db, path: string): Promise<string | undefined> {
  const clean = withoutEndSlashes(path);
  if (clean === '' || clean.length > maxLength) return undefined;
  const [row] = await db
    .select({ slug: audios.slug })
    .from(oldPaths)
    .innerJoin(audios, eq(audios.id, oldPaths.audioId))
    .where(and(eq(oldPaths.path, clean), isNotNull(audios.publishedAt), isNull(audios.deletedAt)));
  return row?.slug;
}

/** Old addresses of a creator's audios and where they lead, for a list. */
export async function listOldPaths(db: Db, voiceId: string): Promise<{ path: string; slug: string }[]> {
  return db
    .select({ path: oldPaths.path, slug: audios.slug })
    .from(oldPaths)
    .innerJoin(audios, eq(audios.id, oldPaths.audioId))
    .where(and(eq(audios.voiceId, voiceId), isNull(audios.deletedAt)))
    .orderBy(oldPaths.path)
    .limit(maxListed);
}
