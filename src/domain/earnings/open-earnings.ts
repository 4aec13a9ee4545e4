import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import * as balances from './balances.ts';
import { findEarnings, listEarnings, listRoots } from './earnings.ts';
import { findLastEarned } from './last-earned.ts';
import { exportPayees } from './payee-file.ts';
import { purgePaidPayees } from './purge-payees.ts';
import { exportEarnings, exportStatement } from './statement-file.ts';
import { findStatementParties } from './statement-parties.ts';

/** Earnings of creators, their statements, and the published hashes of months. */
export function openEarnings({ db, secret }: { db: Db; secret: string }) {
  const { payEarnings, ...ofBalances } = balances;
  return {
    ...bind({ db, secret }, { payEarnings, exportPayees, findStatementParties }),
    ...bind(db, {
      listEarnings,
      findEarnings,
      findLastEarned,
      listRoots,
      exportEarnings,
      exportStatement,
      purgePaidPayees,
      ...ofBalances,
    }),
  };
}
