type Query = (text: string, values: unknown[]) => Promise<unknown>;

/**
 * Deletes objects, which Stripe never does, so that a generated past can be removed: customers, promotion codes and
 * single payments, with everything that belongs to them. Run it in a transaction of the sandbox's database.
 */
export async function deleteObjects(
  query: Query,
  { customers, promotionCodes, payments }: { customers: string[]; promotionCodes: string[]; payments: string[] },
): Promise<void> {
  await query(
    `delete from stripe_sandbox.deliveries d using stripe_sandbox.objects o
     where o.kind = 'event' and o.id = d.event
       and (o.document #>> '{data,object,customer}' = any($1) or o.document #>> '{data,object,id}' = any($2))`,
    [customers, [...customers, ...promotionCodes, ...payments]],
  );
  await query(
    `delete from stripe_sandbox.objects where kind = 'event'
       and (document #>> '{data,object,customer}' = any($1) or document #>> '{data,object,payment_intent}' = any($3)
         or document #>> '{data,object,id}' = any($2))`,
    [customers, [...customers, ...promotionCodes, ...payments], payments],
  );
  await query(
    `delete from stripe_sandbox.objects where kind = 'invoice_payment'
       and document #>> '{invoice}' in (select id from stripe_sandbox.objects i
         where i.kind = 'invoice' and i.document #>> '{customer}' = any($1))`,
    [customers],
  );
  // A refund names only its payment.
  await query(
    `delete from stripe_sandbox.objects where kind in ('charge', 'refund', 'dispute')
       and document #>> '{payment_intent}' in (select id from stripe_sandbox.objects p
         where p.kind = 'payment_intent' and (p.document #>> '{customer}' = any($1) or p.id = any($2)))`,
    [customers, payments],
  );
  await query(
    `delete from stripe_sandbox.objects where kind = 'coupon'
       and id in (select document #>> '{promotion,coupon}' from stripe_sandbox.objects
         where kind = 'promotion_code' and id = any($1))`,
    [promotionCodes],
  );
  // The card of a single payment has no customer.
  await query(
    `delete from stripe_sandbox.objects where kind = 'payment_method'
       and id in (select document #>> '{payment_method}' from stripe_sandbox.objects
         where kind = 'payment_intent' and id = any($1))`,
    [payments],
  );
  await query(
    `delete from stripe_sandbox.objects
     where document #>> '{customer}' = any($1) or (kind = 'customer' and id = any($1))
       or (kind = 'promotion_code' and id = any($2)) or (kind = 'payment_intent' and id = any($3))`,
    [customers, promotionCodes, payments],
  );
}
