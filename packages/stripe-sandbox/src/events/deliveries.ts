import type pg from 'pg';
import type Stripe from 'stripe';
import type { SandboxLog } from '../sandbox-log.ts';
import { type Rounds, openRounds } from './rounds.ts';
import { signPayload } from './signature.ts';

/** Delays between retries, in seconds; after the last one the event is dropped. */
const waits = [5, 30, 120, 600, 3600, ...Array.from({ length: 11 }, () => 6 * 3600)];
const patienceMs = 10_000;
/** Lease of events in delivery, so that a crashed process does not block them. */
const leaseSeconds = 60;
const maxAtOnce = 100;

export type DeliveryOptions = {
  pool: pg.Pool;
  secret: string;
  url: () => string | undefined;
  now: () => Date;
  log: SandboxLog;
  /** Chooses, orders and repeats the due events to post. */
  plan: (due: Stripe.Event[]) => Stripe.Event[];
};

/** Posts due events in the order in which they happened; the next process retries interrupted deliveries. */
export type Deliveries = Rounds & {
  /** Makes all undelivered events due now. */
  hasten(): Promise<void>;
};

type Claimed = { event: string; attempts: number; document: Stripe.Event };

export function openDeliveries({ pool, secret, url, now, log, plan }: DeliveryOptions): Deliveries {
  async function claim(): Promise<Claimed[]> {
    const { rows } = await pool.query<Claimed>(
      `update stripe_sandbox.deliveries d
       set attempts = d.attempts + 1, due_at = $1::timestamptz + interval '${leaseSeconds} seconds'
       from (select event from stripe_sandbox.deliveries where due_at <= $1 order by position
             limit ${maxAtOnce} for update skip locked) due, stripe_sandbox.objects o
       where d.event = due.event and o.kind = 'event' and o.id = d.event
       returning d.event, d.attempts, o.document`,
      [now()],
    );
    const { rows: order } = await pool.query<{ event: string }>(
      'select event from stripe_sandbox.deliveries where event = any($1) order by position',
      [rows.map(({ event }) => event)],
    );
    return order.flatMap(({ event }) => rows.filter((row) => row.event === event));
  }

  async function post(event: Stripe.Event, target: string, signal: AbortSignal): Promise<string | undefined> {
    const payload = JSON.stringify(event, undefined, 2);
    const signature = signPayload(payload, secret, Math.floor(now().getTime() / 1000));
    try {
      // oxlint-disable-next-line no-restricted-globals -- with a limit
      const answer = await fetch(target, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : `answered ${answer.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async function noteArrived(events: string[]): Promise<void> {
    await pool.query(
      `with arrived as (
         update stripe_sandbox.deliveries set due_at = null, delivered_at = $2, last_failure = null
         where event = any($1) returning event)
       update stripe_sandbox.objects set document = jsonb_set(document, '{pending_webhooks}', '0')
       from arrived where kind = 'event' and id = arrived.event`,
      [events, now()],
    );
  }

  async function noteFailed({ event, attempts }: Claimed, failure: string): Promise<void> {
    const wait = waits[attempts - 1];
    const due = wait === undefined ? null : new Date(now().getTime() + wait * 1000);
    await pool.query(
      'update stripe_sandbox.deliveries set due_at = $2, last_failure = $3 where event = $1 and delivered_at is null',
      [event, due, failure],
    );
    log.warn({ event, attempts, failure }, 'An event of the payment sandbox did not arrive');
  }

  async function round(signal: AbortSignal): Promise<boolean> {
    const target = url();
    if (target === undefined) return false;
    const claimed = await claim();
    const arrived = new Set<string>();
    const failures = new Map<string, string>();
    for (const event of plan(claimed.map(({ document }) => document))) {
      if (signal.aborted) break;
      const failure = await post(event, target, signal);
      if (failure === undefined) arrived.add(event.id);
      else failures.set(event.id, failure);
    }
    await noteArrived([...arrived]);
    if (signal.aborted) return false;
    for (const one of claimed)
      if (!arrived.has(one.event)) await noteFailed(one, failures.get(one.event) ?? 'not sent');
    return claimed.length === maxAtOnce;
  }

  return {
    ...openRounds(round),
    async hasten() {
      await pool.query('update stripe_sandbox.deliveries set due_at = $1 where delivered_at is null', [now()]);
    },
  };
}
