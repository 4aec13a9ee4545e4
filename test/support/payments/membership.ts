import { eq, sql } from 'drizzle-orm';
import type { Db } from '#domain/kernel/db.ts';
import type { MailMessage } from '#domain/gateways.ts';
import { users } from '#domain/identity/tables.ts';
import { isSubscribedSql } from '#domain/membership/entitlement.ts';
import { openMembership } from '#domain/membership/open-membership.ts';
import { type MembershipParts, writeCustomer } from '#domain/membership/customers.ts';
import type { Order } from '#domain/membership/shapes.ts';
import { createUser } from '../factories.ts';
import { mailInto } from '../servers/mail-box.ts';
import { type PlainPayments, openPlainPayments } from './plain-payments.ts';

/** The area on a test's database, with the plain provider and a readable mail box. */
export function openTestMembership(db: Db, plain: PlainPayments = openPlainPayments()) {
  const mails: MailMessage[] = [];
  const parts: MembershipParts = {
    db,
    payments: plain.provider,
    mail: mailInto(mails),
    site: { name: 'Sotto', url: 'https://sotto.example' },
  };
  return { ...openMembership({ ...parts, secret: 'test' }), parts, plain, mails };
}

let count = 0;

/** A user with an email, and a customer, which has its own test clock if `startsAt` is given. */
export async function createListener(
  { parts }: Pick<ReturnType<typeof openTestMembership>, 'parts'>,
  { startsAt }: { startsAt?: Date } = {},
) {
  count += 1;
  const email = `listener-${count}@example.org`;
  const { id } = await createUser(parts.db, { email });
  if (startsAt !== undefined) {
    const customerId = await parts.payments.testClock?.createCustomer({ userId: id, email: undefined, startsAt });
    await writeCustomer(parts.db, id, customerId ?? '');
  }
  return { id, email };
}

export function orderOf(paymentMethodId: string, overrides: Partial<Order> = {}): Order {
  return { paymentMethodId, period: 'month', promoCode: undefined, withoutTrial: false, ...overrides };
}

export async function isSubscribed(db: Db, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ is: isSubscribedSql(users.id) })
    .from(users)
    .where(eq(users.id, userId));
  return row?.is ?? false;
}

/** The content of a whole database as text. */
export async function readEverything(db: Db, schemas = ['public']): Promise<string> {
  const { rows: tables } = await db.execute<{ schema: string; name: string }>(
    sql`select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema in ${schemas}`,
  );
  const parts: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await db.execute<{ row: string }>(
      sql`select to_jsonb(t)::text as row from ${sql.identifier(schema)}.${sql.identifier(name)} t`,
    );
    parts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return parts.join('\n');
}
