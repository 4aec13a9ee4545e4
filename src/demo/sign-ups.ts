import { sql } from 'drizzle-orm';
import type { Db } from '#domain/kernel/db.ts';

const key = 'demo_sign_ups';

/** Assigns a sign-up source to the demo's users, and records the sums, so that they can be removed again. */
export async function addDemoSignUps(tx: Db): Promise<void> {
  await tx.execute(sql`
    with days as (
      select (created_at at time zone 'UTC')::date as day,
        (array['prompt', 'prompt', 'prompt', 'prompt', 'home', 'home', 'home', 'paid-link', 'shared-link', 'page'])[
          1 + abs(hashtext(coalesce(username, id::text))) % 10] as source, count(*)::int as users
      from users group by 1, 2
    ), counted as (
      insert into sign_up_days (day, source, users) select day, source, users from days
      on conflict (day, source) do update set users = sign_up_days.users + excluded.users
    )
    insert into site_settings (key, value) select ${key}, jsonb_agg(to_jsonb(days)) from days having count(*) > 0
    on conflict (key) do nothing`);
}

export async function removeDemoSignUps(tx: Db): Promise<void> {
  const noted = sql`(select d.* from site_settings s, jsonb_to_recordset(s.value) as d (day date, source text, users integer)
    where s.key = ${key}) as noted`;
  const isOf = sql`sign_up_days.day = noted.day and sign_up_days.source = noted.source`;
  await tx.execute(sql`delete from sign_up_days using ${noted} where ${isOf} and sign_up_days.users <= noted.users`);
  await tx.execute(sql`update sign_up_days set users = sign_up_days.users - noted.users from ${noted} where ${isOf}`);
  await tx.execute(sql`delete from site_settings where key = ${key}`);
}
