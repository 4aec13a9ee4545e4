import { sql } from 'drizzle-orm';
import * as age from '../age/personal-data.ts';
import * as community from '../community/personal-data.ts';
import * as feeds from '../feeds/personal-data.ts';
import { type Db, allowLongStatements } from '../kernel/db.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import * as identity from '../identity/personal-data.ts';
import * as analytics from '../analytics/personal-data.ts';
import * as library from '../library/personal-data.ts';
import * as listening from '../listening/personal-data.ts';
import * as membership from '../membership/personal-data.ts';
import * as notices from '../notices/personal-data.ts';
import * as notifications from '../notifications/personal-data.ts';
import * as search from '../search/personal-data.ts';
import * as studio from '../studio/personal-data.ts';
import * as verification from '../verification/personal-data.ts';

/** Erased in this order: identity comes last, because all other rows refer to it. */
const areas: PersonalData[] = [
  // Before comments, whose reports are notices, too.
  notices.personalData,
  community.personalData,
  feeds.personalData,
  library.personalData,
  analytics.personalData,
  listening.personalData,
  membership.personalData,
  search.personalData,
  notifications.personalData,
  studio.personalData,
  age.personalData,
  verification.personalData,
  identity.personalData,
];

export const personalTables: readonly string[] = areas.flatMap(({ tables }) => tables);

export async function exportUser(db: Db, userId: string, secret: string): Promise<Record<string, unknown>> {
  const parts = await Promise.all(areas.map((area) => area.exportOf(db, userId, secret)));
  return Object.assign({}, ...parts) as Record<string, unknown>;
}

/**
 * In one transaction. @param record runs in it too, after everything else
 * @returns ids of incoming files to remove
 */
export async function eraseUser(db: Db, userId: string, record?: (tx: Db) => Promise<void>): Promise<string[]> {
  return db.transaction(async (tx) => {
    // A listener may have 100,000 comments and favorites.
    await allowLongStatements(tx);
    // Locks the user first, like every write by a user; otherwise this and a concurrent comment could deadlock.
    await tx.execute(sql`select from users where id = ${userId} for update`);
    const files: string[] = [];
    for (const area of areas) files.push(...((await area.erase(tx, userId)) ?? []));
    await record?.(tx);
    return files;
  });
}
