import { randomBytes } from 'node:crypto';
import { cancel, comeDue, decline, extend, giveBack, type Moment, pay, uncancel } from './sales/acts.ts';
import type { Happening, Provider, Sale } from './sales/sale.ts';
import type { Store } from './store/store.ts';

export type EngineOptions = {
  store: Store;
  now: () => Date;
  /** These charge nobody. */
  off: () => readonly Provider[];
};

export type NewSale = Pick<
  Sale,
  | 'provider'
  | 'reference'
  | 'kind'
  | 'price'
  | 'currency'
  | 'period'
  | 'first'
  | 'description'
  | 'returnUrl'
  | 'closeUrl'
  | 'passed'
> & { /** Milliseconds until an unpaid one is closed. */ openMs?: number };

export type Engine = ReturnType<typeof openEngine>;

/** Acts of buyers, operators and time on sales. */
export function openEngine({ store, now, off }: EngineOptions) {
  const timeOf = (sale: Sale) => now().getTime() + sale.ahead;
  const momentOf = (at: number): Moment => ({ at, newId: () => String(randomBytes(6).readUIntBE(0, 6)) });

  const act =
    <Rest extends unknown[]>(work: (sale: Sale, moment: Moment, ...rest: Rest) => Happening[]) =>
    (id: string, ...rest: Rest) =>
      store.change(id, (sale) => work(sale, momentOf(timeOf(sale)), ...rest));

  /** Step by step, each in its own moment. */
  function catchUp(sale: Sale): Happening[] {
    const happenings: Happening[] = [];
    while (sale.dueAt !== undefined && sale.dueAt <= timeOf(sale))
      happenings.push(...comeDue(sale, momentOf(sale.dueAt)));
    return happenings;
  }

  return {
    find: store.find,
    findBySecret: store.findBySecret,
    findByReference: store.findByReference,
    timeOf,

    async begin(id: (number: string) => string, { openMs, ...asked }: NewSale): Promise<Sale> {
      const createdAt = now().getTime();
      const sale: Sale = {
        ...asked,
        id: id(await store.nextNumber()),
        secret: randomBytes(16).toString('hex'),
        status: 'open',
        createdAt,
        ...(openMs !== undefined && { dueAt: createdAt + openMs }),
        renewals: 0,
        failures: 0,
        refunds: 0,
        chargebacks: 0,
        charges: [],
        cardFails: false,
        ahead: 0,
      };
      await store.insert(sale);
      return sale;
    },

    pay: act(pay),
    decline: act(decline),
    cancel: act(cancel),
    uncancel: act(uncancel),
    extend: act(extend),
    giveBack: act(giveBack),
    /** Declines charges of its card from now on, or takes them again. */
    failCard: (id: string, fails: boolean) =>
      store.change(id, (sale) => {
        sale.cardFails = fails;
        return [];
      }),
    /** Moves the sale's own time, and charges and ends what comes due in it. */
    advance: (id: string, ms: number) =>
      store.change(id, (sale) => {
        sale.ahead += ms;
        return catchUp(sale);
      }),
    async billDue(): Promise<void> {
      for (const { id } of await store.listDue(off())) await store.change(id, catchUp);
    },
  };
}
