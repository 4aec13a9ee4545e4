import { bind } from '../../kernel/bind.ts';
import type { Db } from '../../kernel/db.ts';
import { countWaiting } from './waiting.ts';

/** For moderators and operators. */
export function openDesk({ db }: { db: Db }) {
  return bind(db, { countWaiting });
}
