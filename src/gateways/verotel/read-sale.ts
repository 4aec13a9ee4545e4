import type { HostedEvent } from '#domain/membership/hosted/hosted-provider.ts';
import { type Parameters, endOfDay, numberIn, referenceIn } from '../hosted/read-parameters.ts';
import { unavailable } from '../hosted/ask-provider.ts';
import { moneyIn } from './read-events.ts';

/**
 * Events that say the same as the status of a sale, a text of lines `name: value`. How often it was charged is not in
 * it, so that a renewal whose postback is missing counts as time without an amount.
 * @returns undefined for a sale that Verotel does not know
 */
export function readSale(text: string, shopId: string, at: Date): HostedEvent[] | undefined {
  const sale = readLines(text);
  const { response = '', saleResult = '', nextChargeOn, expiresOn } = sale;
  if (/not_?found/i.test(response)) return undefined;
  const saleId = numberIn(sale['saleID']);
  if (saleId === undefined || sale['shopID'] !== shopId)
    throw unavailable('Verotel', 'no status of a sale of this shop');
  const common = { reference: referenceIn(sale['referenceID']), saleId, at };
  if (!/approved/i.test(saleResult)) return [];
  if (sale['type'] === 'purchase')
    return [{ ...common, ...moneyIn(sale), type: 'purchase', means: 'paid', id: `purchase:${saleId}` }];

  const day = nextChargeOn || expiresOn;
  const until = endOfDay(day);
  const first = { ...sale, subscriptionPhase: sale['trialPeriod'] ? 'trial' : 'normal' };
  const events: HostedEvent[] = [
    { ...common, ...moneyIn(first), type: 'initial', means: 'paid', until, id: `initial:${saleId}` },
    {
      ...common,
      type: 'salestatus',
      means: 'paid',
      amount: 0,
      currency: moneyIn(sale).currency,
      until,
      id: `status:${saleId}:${day}`,
    },
  ];
  if (nextChargeOn || until === undefined) return events;
  if (sale['subscriptionType'] !== 'one-time')
    events.push({ ...common, type: 'cancel', means: 'canceled', until, id: `cancel:${saleId}:${expiresOn}` });
  if (until < at) events.push({ ...common, type: 'expiry', means: 'ended', id: `expiry:${saleId}` });
  return events;
}

function readLines(text: string): Parameters {
  const lines = [...text.matchAll(/^[ \t]*(\w+)[ \t]*:[ \t]*(.*?)[ \t\r]*$/gm)];
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]));
}
