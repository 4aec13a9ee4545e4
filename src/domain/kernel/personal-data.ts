import type { Db } from './db.ts';

/** Export and erasure of one area's personal data (architecture, rule 9). */
export type PersonalData = {
  /** Tables with personal data; a test fails for a table that no area names. */
  tables: readonly string[];
  /**
   * All personal data of the user, by file name without extension. Plain JSON, with `LazyRows` for lists.
   * @param secret key of what the database keeps encrypted
   */
  exportOf(db: Db, userId: string, secret: string): Promise<Record<string, unknown>>;
  /**
   * Erases or anonymizes everything about the user in the area's tables.
   * @returns ids of incoming files to remove
   */
  erase(db: Db, userId: string): Promise<void | string[]>;
};
