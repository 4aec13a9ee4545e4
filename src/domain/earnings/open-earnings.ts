import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import * as balances from './balances.ts';
import { findEarnings, listEarnings, listRoots } from './earnings.ts';
import { exportEarnings, exportStatement } from './statement-file.ts';

/** Earnings of creators, their statements, and the published hashes of months. */
export function openEarnings({ db }: { db: Db }) {
  return bind(db, {
    listEarnings,
    findEarnings,
    listRoots,
    exportEarnings,
    exportStatement,
    ...balances,
  });
}
