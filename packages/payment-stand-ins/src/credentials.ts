import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { standInMark } from './live-credentials.ts';

export type Credentials = {
  verotel: { shopId: string; signatureKey: string };
  ccbill: {
    clientAccnum: string;
    clientSubacc: string;
    flexId: string;
    salt: string;
    dataLinkUser: string;
    dataLinkPassword: string;
  };
  btcpay: { storeId: string; apiKey: string; webhookSecret: string };
};

const secret = () => `${standInMark}${randomBytes(24).toString('hex')}`;

/** Created once per database, so that all processes of a site share them. No real account has such numbers. */
export async function readCredentials(pool: pg.Pool): Promise<Credentials> {
  const fresh: Credentials = {
    verotel: { shopId: '000001', signatureKey: secret() },
    ccbill: {
      clientAccnum: '000001',
      clientSubacc: '0000',
      flexId: '00000000-0000-4000-8000-000000000001',
      salt: secret(),
      dataLinkUser: `${standInMark}user`,
      dataLinkPassword: secret(),
    },
    btcpay: { storeId: `${standInMark}store`, apiKey: secret(), webhookSecret: secret() },
  };
  await pool.query(
    `insert into payment_stand_ins.settings (name, value) values ('credentials', $1) on conflict (name) do nothing`,
    [JSON.stringify(fresh)],
  );
  const { rows } = await pool.query<{ value: Credentials }>(
    `select value from payment_stand_ins.settings where name = 'credentials'`,
  );
  return rows[0]?.value ?? fresh;
}
