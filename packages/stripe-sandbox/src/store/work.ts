import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type Stripe from 'stripe';
import { type Store, openStore } from './store.ts';
import { newIdOf } from './ids.ts';

/** The API version of the `stripe` package's types; events carry it as Stripe's do. */
export const apiVersion = '2026-10-28.endive';

export type EventType = Stripe.Event['type'];
export type EventObject<T extends EventType> = Extract<Stripe.Event, { type: T }>['data']['object'];

/** Context of one request, or of one billing step. */
export type Work = {
  store: Store;
  /** Seconds since 1970: of the test clock if given, otherwise of the machine. */
  now(clock: string | null): Promise<number>;
  /** Sets the time, so that billing runs each step at its due time. */
  setNow(clock: string | null, seconds: number): void;
  /** Stores an event, which is posted after the commit. @param clock test clock of its time */
  emit<T extends EventType>(
    type: T,
    object: EventObject<T>,
    options: { clock: string | null; previous?: Partial<EventObject<T>> },
  ): Promise<void>;
  /** Secret key for hashes of guessable values. */
  hashKey: string;
  /** Origin of the site, which shows the invoices. */
  siteUrl: string;
  /** Called with the publishable key: objects then need their client secret. */
  isBrowser: boolean;
};

export type WorkOptions = {
  client: pg.Pool | pg.PoolClient;
  machineNow: () => Date;
  request: Stripe.Event.Request;
  hashKey: string;
  siteUrl: string;
  isBrowser: boolean;
  /** Whether events of this type are posted; all are stored. */
  goesOut(type: EventType): boolean;
};

export function openWork({ client, machineNow, request, hashKey, siteUrl, isBrowser, goesOut }: WorkOptions): Work {
  const store = openStore(client, { isAlone: !(client instanceof pg.Pool) });
  const moments = new Map<string | null, number>();

  async function now(clock: string | null): Promise<number> {
    const known = moments.get(clock);
    if (known !== undefined) return known;
    const time =
      clock === null
        ? Math.floor(machineNow().getTime() / 1000)
        : (await store.get('test_helpers.test_clock', clock)).frozen_time;
    moments.set(clock, time);
    return time;
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

/** The former values of changed fields: `previous_attributes` of an event. */
export function changedFrom<T extends object>(before: T, after: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const key of Object.keys(after) as (keyof T)[]) {
    const was = before[key];
    if (!isDeepStrictEqual(was, after[key])) changed[key] = was ?? (null as T[keyof T]);
  }
  return changed;
}
