import { getTableColumns, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import * as admin from '#domain/admin/tables.ts';
import * as age from '#domain/age/tables.ts';
import * as credits from '#domain/catalogue/credits/tables.ts';
import * as catalogue from '#domain/catalogue/tables.ts';
import * as editorial from '#domain/editorial/tables.ts';
import * as feeds from '#domain/feeds/tables.ts';
import * as community from '#domain/community/tables.ts';
import * as identity from '#domain/identity/tables.ts';
import * as analytics from '#domain/analytics/tables.ts';
import * as library from '#domain/library/tables.ts';
import * as look from '#domain/look/tables.ts';
import * as clips from '#domain/listening/clips/tables.ts';
import * as listening from '#domain/listening/tables.ts';
import * as notifications from '#domain/notifications/tables.ts';
import * as notices from '#domain/notices/tables.ts';
import * as membership from '#domain/membership/tables.ts';
import * as hostedPayments from '#domain/membership/hosted/tables.ts';
import * as tax from '#domain/membership/tax/tables.ts';
import * as winBacks from '#domain/membership/keeping/win-back-tables.ts';
import * as keeping from '#domain/membership/keeping/tables.ts';
import * as memberImports from '#domain/membership/importing/tables.ts';
import * as tips from '#domain/membership/tips/tables.ts';
import * as providerMoves from '#domain/membership/moving/tables.ts';
import * as audit from '#domain/kernel/audit.ts';
import * as search from '#domain/search/tables.ts';
import * as settings from '#domain/settings/tables.ts';
import * as storedFiles from '#domain/stored-files.ts';
import * as payees from '#domain/studio/payees/tables.ts';
import * as splits from '#domain/studio/splits/tables.ts';
import * as studio from '#domain/studio/tables.ts';
import * as verification from '#domain/verification/tables.ts';
import * as builtInIdentity from '#gateways/built-in-identity/tables.ts';
import * as mail from '#gateways/mail-outbox.ts';
import { createTestDatabase } from '#test/support/database.ts';

const { pool } = await createTestDatabase();

const tables = [
  age,
  admin,
  builtInIdentity,
  catalogue,
  clips,
  community,
  credits,
  editorial,
  feeds,
  hostedPayments,
  winBacks,
  keeping,
  providerMoves,
  memberImports,
  identity,
  analytics,
  audit,
  library,
  listening,
  look,
  mail,
  membership,
  tips,
  notices,
  notifications,
  search,
  settings,
  payees,
  splits,
  storedFiles,
  studio,
  tax,
  verification,
]
  .flatMap((module) => Object.values(module))
  .filter((value): value is PgTable => is(value, PgTable));

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

test('the tables in the code match the migrations, column by column', async () => {
  const { rows } = await pool.query<{ table_name: string; column_name: string; is_nullable: string }>(
    `select table_name, column_name, is_nullable from information_schema.columns where table_schema = 'public'`,
  );
  const inDatabase = rows
    .map((row) => `${row.table_name}.${row.column_name} ${row.is_nullable === 'YES' ? 'null' : 'not null'}`)
    .toSorted();
  const inCode = tables
    .flatMap((table) =>
      Object.entries(getTableColumns(table)).map(
        ([key, column]) =>
          `${getTableConfig(table).name}.${column.keyAsName ? snakeCase(key) : column.name} ${column.notNull ? 'not null' : 'null'}`,
      ),
    )
    .toSorted();
  expect(inCode).toEqual(inDatabase);
});

test('every timestamp has a time zone and millisecond precision; days and months of plays are dates, in UTC', async () => {
  const { rows } = await pool.query<{ bad: string }>(
    `select table_name || '.' || column_name as bad from information_schema.columns
     where table_schema = 'public' and (data_type like 'timestamp%' or data_type = 'date' and column_name not in ('day', 'month', 'played_on', 'due_on')) and (data_type <> 'timestamp with time zone' or datetime_precision <> 3)`,
  );
  expect(rows).toEqual([]);
});

test('every foreign key has an index', async () => {
  const { rows } = await pool.query<{ key: string }>(
    `select c.conrelid::regclass || '.' || a.attname as key from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
       and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`,
  );
  expect(rows).toEqual([]);
});
