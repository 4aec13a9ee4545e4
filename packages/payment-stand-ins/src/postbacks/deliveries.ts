import type pg from 'pg';
import { type Rounds, openRounds } from 'stripe-sandbox/rounds';
import type { Provider } from '../sales/sale.ts';
import type { StandInsLog } from '../stand-ins-log.ts';
import type { Disorder } from './disorder.ts';

/** Seconds until the next attempts; after the last one the postback is given up. */
const waits = [10, 60, 600, 600, 600, 600, 600, 600];
const patienceMs = 10_000;
/** Lease of postbacks in delivery, so that a crashed process does not keep them. */
const leaseSeconds = 60;
const maxAtOnce = 100;

export type Message = {
  method: 'GET' | 'POST';
  query?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The answer that it takes as received: this body, or else any 200. */
  expects?: string;
};

export type DeliveryOptions = {
  pool: pg.Pool;
  url: (provider: Provider) => string | undefined;
  /** Signs it; `wrongly`: with a key that the site does not know. */
  messageOf: (provider: Provider, content: object, wrongly: boolean) => Message;
  disorder: () => Disorder;
  /** One of those that are to be lost. @returns whether there was one left */
  loseOne: () => Promise<boolean>;
  now: () => Date;
  log: StandInsLog;
};

type Claimed = { position: string; provider: Provider; attempts: number; content: object };

/** Sends what is due; the next process repeats what was interrupted. */
export function openDeliveries(options: DeliveryOptions): Rounds {
  const { pool, url, messageOf, disorder, loseOne, now, log } = options;
  async function claim(): Promise<Claimed[]> {
    const { rows } = await pool.query<Claimed>(
      `update payment_stand_ins.postbacks p
       set attempts = p.attempts + 1, due_at = $1::timestamptz + interval '${leaseSeconds} seconds'
       from (select position from payment_stand_ins.postbacks where due_at <= $1 and not provider = any($2)
             order by position limit ${maxAtOnce} for update skip locked) due
       where p.position = due.position
       returning p.position, p.provider, p.attempts, p.content`,
      [now(), disorder().off],
    );
    const inOrder = rows.toSorted((one, other) => Number(BigInt(one.position) - BigInt(other.position)));
    return disorder().reversed ? inOrder.reverse() : inOrder;
  }

  async function post(target: string, message: Message, signal: AbortSignal): Promise<string | undefined> {
    const address = new URL(target);
    for (const [name, value] of new URLSearchParams(message.query)) address.searchParams.append(name, value);
    try {
      // oxlint-disable-next-line no-restricted-globals -- with a limit
      const answer = await fetch(address, {
        method: message.method,
        headers: message.headers ?? {},
        ...(message.body !== undefined && { body: message.body }),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
      });
      const text = await answer.text();
      if (answer.status !== 200) return `answered ${answer.status}`;
      return message.expects === undefined || text.trim() === message.expects ? undefined : 'answered something else';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async function send(claimed: Claimed, signal: AbortSignal): Promise<string | undefined> {
    const { provider, attempts, content } = claimed;
    const target = url(provider);
    if (target === undefined) return 'no address';
    if (attempts === 1 && (await loseOne())) return undefined;
    const message = messageOf(provider, content, disorder().wrongSignature && attempts === 1);
    const failure = await post(target, message, signal);
    return disorder().duplicates && failure === undefined ? post(target, message, signal) : failure;
  }

  async function note({ position, attempts, provider }: Claimed, failure: string | undefined): Promise<void> {
    const wait = waits[attempts - 1];
    const due = failure === undefined || wait === undefined ? null : new Date(now().getTime() + wait * 1000);
    await pool.query(
      `update payment_stand_ins.postbacks set due_at = $2, last_failure = $3, arrived_at = $4 where position = $1`,
      [position, due, failure, failure === undefined ? now() : null],
    );
    if (failure !== undefined) log.warn({ provider, attempts, failure }, 'A postback of a stand-in did not arrive');
  }

  async function round(signal: AbortSignal): Promise<boolean> {
    const claimed = await claim();
    for (const one of claimed) {
      const failure = await send(one, signal);
      // The next process repeats what was interrupted.
      if (signal.aborted) return false;
      await note(one, failure);
    }
    return claimed.length === maxAtOnce;
  }

  return openRounds(round);
}
