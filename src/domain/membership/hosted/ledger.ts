import { randomBytes } from 'node:crypto';
import { type SQL, and, eq, inArray, isNull, or } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { eventsOf } from './fold.ts';
import type { HostedEvent } from './hosted-provider.ts';
import { type HostedName, hostedEvents, paymentOrders } from './tables.ts';

export type OrderRow = typeof paymentOrders.$inferSelect;
type NewOrder = Omit<typeof paymentOrders.$inferInsert, 'reference' | 'provider'>;

export type Ledger = ReturnType<typeof openLedger>;

/** The orders at one provider, and all that was said about them. */
export function openLedger(db: Db, name: HostedName) {
  const find = (which: SQL) =>
    db
      .select()
      .from(paymentOrders)
      .where(and(eq(paymentOrders.provider, name), which));

  async function saidAbout(orders: OrderRow[]): Promise<HostedEvent[]> {
    if (orders.length === 0) return [];
    const references = orders.map(({ reference }) => reference);
    const sales = orders.flatMap(({ saleId }) => saleId ?? []);
    const isAbout = or(inArray(hostedEvents.reference, references), inArray(hostedEvents.saleId, sales));
    const rows = await db
      .select()
      .from(hostedEvents)
      .where(and(eq(hostedEvents.provider, name), isAbout));
    return rows.map(toEvent);
  }

  async function findOrder(reference: string): Promise<OrderRow | undefined> {
    return (await find(eq(paymentOrders.reference, reference)))[0];
  }

  return {
    saidAbout,
    findOrder,
    /** @returns undefined for an unknown order; `said`: oldest first */
    async findSaid(reference: string): Promise<{ order: OrderRow; said: HostedEvent[] } | undefined> {
      const order = await findOrder(reference);
      if (order === undefined) return undefined;
      return { order, said: eventsOf([order], await saidAbout([order])).get(order) ?? [] };
    },
    findOrdersOf: (customerId: string) => find(eq(paymentOrders.customerId, customerId)),
    /** The order that an event is about, by its reference or by the sale. */
    async findOrderOf({ reference, saleId }: HostedEvent): Promise<OrderRow | undefined> {
      if (reference !== undefined) return findOrder(reference);
      return (await find(eq(paymentOrders.saleId, saleId ?? '')))[0];
    },
    /** Its reference is random, so that it says nothing about anybody at the provider. */
    async addOrder(order: NewOrder): Promise<OrderRow> {
      const reference = randomBytes(16).toString('hex');
      const [row] = await db
        .insert(paymentOrders)
        .values({ ...order, reference, provider: name })
        .returning();
      if (row === undefined) throw new Error('the order was not written');
      return row;
    },
    /** Each event once; the sale's id is noted with its order. */
    async add(events: HostedEvent[]): Promise<void> {
      if (events.length === 0) return;
      await db.transaction(async (tx) => {
        await tx
          .insert(hostedEvents)
          .values(events.map((event) => ({ ...event, provider: name, type: event.type.slice(0, 100) })))
          .onConflictDoNothing();
        for (const { reference, saleId } of events)
          if (reference !== undefined && saleId !== undefined)
            await tx
              .update(paymentOrders)
              .set({ saleId })
              .where(
                and(
                  eq(paymentOrders.provider, name),
                  eq(paymentOrders.reference, reference),
                  isNull(paymentOrders.saleId),
                ),
              );
      });
    },
  };
}

/** Without columns that are null. */
function toEvent({
  provider: _provider,
  receivedAt: _received,
  ...row
}: typeof hostedEvents.$inferSelect): HostedEvent {
  const known = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return { reference: undefined, saleId: undefined, ...known } as HostedEvent;
}
