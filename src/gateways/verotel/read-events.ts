import type { HostedEvent } from '#domain/membership/hosted/hosted-provider.ts';
import { fromDecimalText } from '#formats/currency-decimals.ts';
import { hexHash } from '../hosted/proofs.ts';
import { type Parameters, endOfDay, numberIn, referenceIn } from '../hosted/read-parameters.ts';

/**
 * Events of a signed postback. Verotel names neither an event nor its moment: ids are made of what is the same in a
 * repeated postback, and `at` is when it came.
 */
export function readEvents(postback: Parameters, at: Date): HostedEvent[] {
  const { event = postback['type'] ?? '', transactionID, nextChargeOn, expiresOn, precedingSaleID } = postback;
  const saleId = numberIn(postback['saleID']);
  const reference = referenceIn(postback['referenceID']);
  if (saleId === undefined && reference === undefined) return [];
  const sale = saleId ?? reference;
  const common = { type: event, reference, saleId, at };
  const until = endOfDay(nextChargeOn || expiresOn);
  const money = moneyIn(postback);
  const transactionId = transactionID || undefined;
  const charge = { ...money, transactionId, card: cardIn(postback) };

  switch (event) {
    case 'purchase':
      return [{ ...common, ...charge, means: 'paid', id: `purchase:${sale}` }];
    case 'initial':
      return [{ ...common, ...charge, means: 'paid', until, id: `initial:${sale}` }];
    case 'rebill':
      return [
        { ...common, ...charge, means: 'paid', until, id: `rebill:${transactionId ?? `${sale}:${nextChargeOn}`}` },
      ];
    case 'extend':
      return [
        { ...common, ...money, amount: 0, means: 'paid', until, id: `extend:${sale}:${nextChargeOn || expiresOn}` },
      ];
    case 'uncancel':
      return [{ ...common, means: 'resumed', until, id: `uncancel:${sale}:${nextChargeOn}` }];
    case 'cancel':
      return [{ ...common, means: 'canceled', until, id: `cancel:${sale}:${expiresOn || nextChargeOn}` }];
    case 'expiry':
      return [{ ...common, means: 'ended', id: `expiry:${sale}` }];
    case 'credit':
    case 'chargeback':
      return [
        {
          ...common,
          ...money,
          means: event === 'credit' ? 'refunded' : 'charged-back',
          transactionId,
          ofTransaction: postback['parentID'] || undefined,
          id: `${event}:${transactionId ?? sale}`,
        },
      ];
    case 'upgrade':
    case 'downgrade': {
      const former = numberIn(precedingSaleID);
      // A downgrade of the same sale is a lower price from the next charge on.
      if (former === undefined || former === saleId) break;
      return [
        { ...common, ...charge, means: 'paid', until, id: `${event}:${sale}` },
        { ...common, reference: undefined, saleId: former, means: 'ended', id: `${event}:${sale}:replaced` },
      ];
    }
  }
  return [
    {
      ...common,
      ...money,
      means: 'unknown',
      id: `${event}:${hexHash('sha256', JSON.stringify(postback)).slice(0, 16)}`,
    },
  ];
}

/** The charge of a postback, or else the price of this phase. */
export function moneyIn(sale: Parameters): Pick<HostedEvent, 'amount' | 'currency'> {
  const currency = (sale['currency'] || sale['priceCurrency'])?.toLowerCase();
  if (currency === undefined) return {};
  const isTrial = sale['subscriptionPhase'] === 'trial';
  const text = sale['amount'] || (isTrial && sale['trialAmount']) || sale['priceAmount'] || '';
  return { amount: fromDecimalText(text.replace(/^-/, ''), currency), currency };
}

function cardIn({ CCBrand, truncatedPAN }: Parameters): HostedEvent['card'] {
  const [last4] = /\d{4}$/.exec(truncatedPAN ?? '') ?? [];
  return CCBrand && last4 ? { brand: CCBrand.toLowerCase(), last4 } : undefined;
}
