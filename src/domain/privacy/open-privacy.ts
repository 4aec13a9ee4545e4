import type { Db } from '../kernel/db.ts';
import { eraseUser, exportUser } from './personal-data.ts';

export function openPrivacy({ db }: { db: Db }) {
  return {
    exportOf: (userId: string) => exportUser(db, userId),
    erase: (userId: string, record?: (tx: Db) => Promise<void>) => eraseUser(db, userId, record),
  };
}
