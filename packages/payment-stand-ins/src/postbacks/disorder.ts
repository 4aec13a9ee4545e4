import type pg from 'pg';
import type { Provider } from '../sales/sale.ts';

/** Faults between a provider and the site, by setting. */
export type Disorder = {
  /** Each postback is sent twice. */
  duplicates: boolean;
  /** Postbacks wait for the next `tick`, which sends the newest first. */
  reversed: boolean;
  /** Postbacks are sent this many milliseconds later. */
  lateMs: number;
  /** So many of the next postbacks are never sent. */
  lose: number;
  /** The first attempt of each postback is signed with another key. */
  wrongSignature: boolean;
  /** Buyers come back first: the postback of a payment waits for the next `tick`. */
  returnFirst: boolean;
  /** These answer 503 everywhere, charge nobody and send nothing. */
  off: Provider[];
};

export const noDisorder: Disorder = {
  duplicates: false,
  reversed: false,
  lateMs: 0,
  lose: 0,
  wrongSignature: false,
  returnFirst: false,
  off: [],
};

export async function readDisorder(pool: pg.Pool): Promise<Disorder> {
  const { rows } = await pool.query<{ value: Partial<Disorder> }>(
    `select value from payment_stand_ins.settings where name = 'disorder'`,
  );
  return { ...noDisorder, ...rows[0]?.value };
}

export async function writeDisorder(pool: pg.Pool, disorder: Disorder): Promise<void> {
  await pool.query(
    `insert into payment_stand_ins.settings (name, value) values ('disorder', $1)
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(disorder)],
  );
}
