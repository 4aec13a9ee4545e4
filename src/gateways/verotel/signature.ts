import { hexHash, isSameDigest } from '../hosted/proofs.ts';
import type { Parameters } from '../hosted/read-parameters.ts';

/** A request signs these alone; `email`, for example, is not among them. */
const signedInRequests = new Set([
  'version',
  'shopID',
  'priceAmount',
  'priceCurrency',
  'paymentMethod',
  'description',
  'referenceID',
  'saleID',
  'custom1',
  'custom2',
  'custom3',
  'subscriptionType',
  'period',
  'name',
  'trialAmount',
  'trialPeriod',
  'cancelDiscountPercentage',
  'type',
  'successURL',
  'declineURL',
  'precedingSaleID',
  'upgradeOption',
  'mcc',
  'subCreditorName',
  'subCreditorId',
  'subCreditorCountry',
]);

/** Names in postbacks and answers, beside those of requests. */
const known = new Set([
  ...signedInRequests,
  'event',
  'amount',
  'currency',
  'transactionID',
  'parentID',
  'nextChargeOn',
  'expiresOn',
  'subscriptionPhase',
  'cancelledBy',
  'CCBrand',
  'truncatedPAN',
  'email',
]);

export type Account = { shopId: string; signatureKey: string };

/** Names in the order of their bytes, and always with a shop. */
function digestOf({ shopId, signatureKey }: Account, parameters: Parameters): string {
  const signed: Parameters = { shopID: shopId, ...parameters };
  const names = Object.keys(signed).toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return hexHash('sha256', [signatureKey, ...names.map((name) => `${name}=${signed[name]}`)].join(':'));
}

/** A request of `path` at the provider; parameters that are absent or empty are left out. */
export function signedAddress(account: Account, path: string, parameters: Record<string, string | undefined>): string {
  const sent: Parameters = { version: '4', shopID: account.shopId };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== '') sent[name] = value;
  return `${path}?${new URLSearchParams({ ...sent, signature: signatureOfRequest(account, sent) }).toString()}`;
}

export function signatureOfRequest(account: Account, parameters: Parameters): string {
  const signed = Object.entries(parameters).filter(([name]) => signedInRequests.has(name));
  return digestOf(account, Object.fromEntries(signed));
}

/**
 * Whether every parameter of a postback is signed. SHA-1, which the official libraries still take, is refused; so are
 * values that could be several parameters, since `a=1:b=2` has the signature of `a` and `b`.
 */
export function isSigned(account: Account, { signature, ...parameters }: Parameters): boolean {
  if (signature === undefined) return false;
  if (Object.entries(parameters).some(([name, value]) => /[:=]/.test(name) || hidesParameter(value))) return false;
  return isSameDigest(signature, digestOf(account, parameters));
}

function hidesParameter(value: string): boolean {
  return [...value.matchAll(/:(\w+)(?==)/g)].some(([, name = '']) => known.has(name));
}
