import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

const program = fileURLToPath(new URL('job-process.ts', import.meta.url));

/**
 * Stores events answered by a dead process: one for each of this many customers. The database itself counts each change
 * of an event to settled.
 */
export async function storeDueEvents(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(`
    create table settled_events (event_id text not null);
    create table asked_customers (customer_id text not null, pid integer not null);
    create function count_settled() returns trigger language plpgsql as $$ begin
      insert into settled_events values (new.event_id); return null;
    end $$;
    create trigger count_settled after update on payment_events for each row
      when (old.status in ('received', 'failed') and new.status in ('done', 'ignored')) execute function count_settled();`);
  await pool.query(
    `with people as (insert into users (id) select gen_random_uuid() from generate_series(1, $1) returning id),
       customers as (insert into payment_customers (user_id, customer_id) select id, 'cus_' || id from people returning customer_id)
     insert into payment_events (event_id, type, customer_id, created_at, received_at)
     select 'evt_' || customer_id, 'customer.subscription.updated', customer_id, now(), now() - interval '1 minute' from customers`,
    [count],
  );
}

/** @returns once it takes jobs */
export async function startJobProcess(url: string, settings: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: { ...process.env, JOBS_DATABASE_URL: url, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`The process ended with ${code}`)));
  });
  return child;
}

/** Counts the events by outcome. `repeated`: the provider was called more than once. */
export async function countSettled(pool: pg.Pool) {
  const { rows } = await pool.query<{ waiting: number; settled: number; twice: number; repeated: number }>(`
    select (select count(*)::int from payment_events where status in ('received', 'failed')) as waiting,
      (select count(distinct event_id)::int from settled_events) as settled,
      (select count(*)::int from (select from settled_events group by event_id having count(*) > 1) t) as twice,
      (select count(*)::int from (select from asked_customers group by customer_id having count(*) > 1) t) as repeated`);
  const [row] = rows;
  if (row === undefined) throw new Error('nothing was counted');
  return row;
}
