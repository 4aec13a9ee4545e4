import type { IncomingFiles } from '../gateways.ts';
import type { Db } from '../kernel/db.ts';
import { eraseUser, exportUser } from './personal-data.ts';

type Parts = { db: Db; incoming: Pick<IncomingFiles, 'remove'>; secret: string };

export function openPrivacy({ db, incoming, secret }: Parts) {
  return {
    exportUser: (userId: string) => exportUser(db, userId, secret),
    async erase(userId: string, record?: (tx: Db) => Promise<void>): Promise<void> {
      const files = await eraseUser(db, userId, record);
      // While the storage is away, a job removes them later, as files without a row.
      for (const id of files) await incoming.remove(id).catch(() => undefined);
    },
  };
}
