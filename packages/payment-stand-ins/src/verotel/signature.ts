import { createHash, timingSafeEqual } from 'node:crypto';

/** Written from Verotel's published list of request parameters, apart from the site's code. */
const requestPattern =
  /^(?:version|shopID|price(?:Amount|Currency)|paymentMethod|description|referenceID|saleID|custom[123]|subscriptionType|period|name|trialAmount|trialPeriod|cancelDiscountPercentage|type|successURL|declineURL|precedingSaleID|upgradeOption|mcc|subCreditorName|subCreditorId|subCreditorCountry)$/;

export function signPostback(key: string, parameters: Record<string, string>): string {
  const pairs = Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return createHash('sha256')
    .update(`${key}:${pairs.join(':')}`)
    .digest('hex');
}

export function isRequestSigned(key: string, { signature = '', ...parameters }: Record<string, string>): boolean {
  const signed = Object.entries(parameters).filter(([name]) => requestPattern.test(name));
  const expected = Buffer.from(signPostback(key, Object.fromEntries(signed)));
  const given = Buffer.from(signature.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const nameOf = (pair: string) => pair.slice(0, pair.indexOf('='));
