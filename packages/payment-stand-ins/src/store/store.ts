import type pg from 'pg';
import type { Happening, Provider, Sale } from '../sales/sale.ts';

export type StoreOptions = {
  pool: pg.Pool;
  now: () => Date;
  /** Says how the provider tells it; undefined: it does not. */
  contentOf: (sale: Sale, happening: Happening) => object | undefined;
  /** Milliseconds by which postbacks are sent later. */
  lateMs: () => number;
};

export type Store = ReturnType<typeof openStore>;

/** Sales are JSON documents; what happens to one is committed together with the postbacks about it. */
export function openStore({ pool, now, contentOf, lateMs }: StoreOptions) {
  async function nextNumber(): Promise<string> {
    const { rows } = await pool.query<{ number: string }>(`select nextval('payment_stand_ins.numbers') as number`);
    return rows[0]?.number ?? '';
  }

  async function findOne(where: string, values: unknown[]): Promise<Sale | undefined> {
    const { rows } = await pool.query<{ document: Sale }>(
      `select document from payment_stand_ins.sales where ${where} order by id desc limit 1`,
      values,
    );
    return rows[0]?.document;
  }

  async function save(client: pg.Pool | pg.PoolClient, sale: Sale, happenings: Happening[]): Promise<void> {
    await client.query('update payment_stand_ins.sales set document = $2, due_at = $3 where id = $1', [
      sale.id,
      JSON.stringify(sale),
      sale.dueAt === undefined ? null : new Date(sale.dueAt - sale.ahead),
    ]);
    for (const happening of happenings) {
      const content = contentOf(sale, happening);
      if (content === undefined) continue;
      await client.query(
        'insert into payment_stand_ins.postbacks (sale, provider, content, due_at) values ($1, $2, $3, $4)',
        [sale.id, sale.provider, JSON.stringify(content), new Date(now().getTime() + lateMs())],
      );
    }
  }

  return {
    nextNumber,
    find: (id: string) => findOne('id = $1', [id]),
    findBySecret: (secret: string) => findOne('secret = $1', [secret]),
    findByReference: (provider: Provider, reference: string) =>
      findOne('provider = $1 and reference = $2', [provider, reference]),

    async insert(sale: Sale): Promise<void> {
      await pool.query(
        `insert into payment_stand_ins.sales (id, provider, reference, secret, due_at, document)
         values ($1, $2, $3, $4, $5, $6)`,
        [
          sale.id,
          sale.provider,
          sale.reference,
          sale.secret,
          sale.dueAt === undefined ? null : new Date(sale.dueAt - sale.ahead),
          JSON.stringify(sale),
        ],
      );
    },

    /** One change of a sale at a time. */
    async change(id: string, work: (sale: Sale) => Happening[]): Promise<Sale> {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const { rows } = await client.query<{ document: Sale }>(
          'select document from payment_stand_ins.sales where id = $1 for update',
          [id],
        );
        const [row] = rows;
        if (row === undefined) throw new Error(`there is no sale ${id}`);
        await save(client, row.document, work(row.document));
        await client.query('commit');
        return row.document;
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      } finally {
        client.release();
      }
    },

    async listDue(off: readonly Provider[]): Promise<Sale[]> {
      const { rows } = await pool.query<{ document: Sale }>(
        'select document from payment_stand_ins.sales where due_at <= $1 and not provider = any($2) order by due_at limit 100',
        [now(), off],
      );
      return rows.map(({ document }) => document);
    },
  };
}
