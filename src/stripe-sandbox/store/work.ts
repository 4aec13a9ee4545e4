import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type Stripe from 'stripe';
import { openStore } from './store.ts';
import type { Store } from './store.ts';
import { newIdOf } from './ids.ts';

/** `stripe` names the version whose types these are; the events carry it as Stripe's do. */
export const apiVersion = '2026-10-28.endive';

export type EventType = Stripe.Event['type'];
export type EventObject<T extends EventType> = Extract<Stripe.Event, { type: T }>['data']['object'];

/** What one request, or one step of billing, does. */
export type Work = {
  store: Store;
  /** Seconds since 1970: of the test clock when one is named, else of the machine. */
  now(clock: string | null): Promise<number>;
  /** Billing carries out what was due at the moment at which it was due. */
  setNow(clock: string | null, seconds: number): void;
  /**
   * Writes the event down; it goes out once the transaction holds.
   * @param clock whose time it happened in
   */
  emit<T extends EventType>(
    type: T,
    object: EventObject<T>,
    options: { clock: string | null; previous?: Partial<EventObject<T>> },
  ): Promise<void>;
  /** A secret of the sandbox: hashes of what could be guessed are made with it. */
  hashKey: string;
  /** Origin of the site, where invoices are shown. */
  siteUrl: string;
  /** Asked with the publishable key: whoever asks has to show the client secret of an object. */
  isBrowser: boolean;
};

export type WorkOptions = {
  client: pg.Pool | pg.PoolClient;
  machineNow: () => Date;
  request: Stripe.Event.Request;
  hashKey: string;
  siteUrl: string;
  isBrowser: boolean;
  /** Whether events of this type go out; all are kept. */
  goesOut(type: EventType): boolean;
};

export function openWork({ client, machineNow, request, hashKey, siteUrl, isBrowser, goesOut }: WorkOptions): Work {
  const store = openStore(client, { isAlone: !(client instanceof pg.Pool) });
  const moments = new Map<string | null, number>();

  async function now(clock: string | null): Promise<number> {
    const known = moments.get(clock);
    if (known !== undefined) return known;
    const moment =
      clock === null
        ? Math.floor(machineNow().getTime() / 1000)
        : (await store.get('test_helpers.test_clock', clock)).frozen_time;
    moments.set(clock, moment);
    return moment;
  }

  return {
    store,
    now,
    setNow: (clock, seconds) => void moments.set(clock, seconds),
    async emit(type, object, { clock, previous }) {
      const event = {
        id: newIdOf('event'),
        object: 'event',
        api_version: apiVersion,
        created: await now(clock),
        data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
        livemode: false,
        pending_webhooks: goesOut(type) ? 1 : 0,
        request,
        type,
      } as unknown as Stripe.Event;
      await store.insert<'event'>(event);
      if (!goesOut(type)) return;
      await client.query({
        name: 'sandbox-deliver',
        text: `insert into stripe_sandbox.deliveries (event, position, due_at)
               select id, position, $2 from stripe_sandbox.objects where kind = 'event' and id = $1`,
        values: [event.id, machineNow()],
      });
    },
    hashKey,
    siteUrl,
    isBrowser,
  };
}

/** The fields of `before` that are others in `after`: `previous_attributes` of an event. */
export function changedFrom<T extends object>(before: T, after: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const key of Object.keys(after) as (keyof T)[]) {
    const was = before[key];
    if (!isDeepStrictEqual(was, after[key])) changed[key] = was ?? (null as T[keyof T]);
  }
  return changed;
}
