import * as community from './community/personal-data.ts';
import type { Db } from './db.ts';
import * as identity from './identity/personal-data.ts';
import * as insight from './insight/personal-data.ts';
import * as library from './library/personal-data.ts';
import * as listening from './listening/personal-data.ts';
import * as membership from './membership/personal-data.ts';
import * as search from './search/personal-data.ts';

/** How one area of the domain answers for what it knows of a user (architecture, rule 9). */
export type PersonalData = {
  /** The tables with anything about a user; a test fails for one that no area names. */
  tables: readonly string[];
  /** Everything the area knows of the user, by file name without its ending. Plain JSON. */
  exportOf(db: Db, userId: string): Promise<Record<string, unknown>>;
  /** Nothing of the user is left in the area's tables afterwards. */
  erase(db: Db, userId: string): Promise<void>;
};

/** Erased from first to last: identity, whose row all others point to, comes last. */
const areas: PersonalData[] = [
  community.personalData,
  library.personalData,
  insight.personalData,
  listening.personalData,
  membership.personalData,
  search.personalData,
  identity.personalData,
];

export const personalTables: readonly string[] = areas.flatMap(({ tables }) => tables);

export async function exportUser(db: Db, userId: string): Promise<Record<string, unknown>> {
  const parts = await Promise.all(areas.map((area) => area.exportOf(db, userId)));
  return Object.assign({}, ...parts) as Record<string, unknown>;
}

/** All or nothing. */
export async function eraseUser(db: Db, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const area of areas) await area.erase(tx, userId);
  });
}
