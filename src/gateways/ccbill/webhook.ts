import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { type Parameters, readParameters } from '../hosted/read-parameters.ts';

/** CCBill's own networks; a webhook has no signature. */
export const ccbillNetworks = ['64.38.212.0/24', '64.38.215.0/24', '64.38.240.0/24', '64.38.241.0/24'];

export function openNetworks(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return (address = '') => {
    const plain = address.replace(/^::ffff:/i, '');
    if (isIPv4(plain)) return list.check(plain);
    return isIPv6(plain) && list.check(plain, 'ipv6');
  };
}

/** Fields of a webhook, JSON or a form, with the kind of event that its address may have instead. */
export function readWebhook(query: string, body: string): Parameters | undefined {
  const address = readParameters(query);
  const fields = body.trimStart().startsWith('{') ? readJson(body) : readParameters(body);
  if (address === undefined || fields === undefined) return undefined;
  // The account is in both, and neither may say another one.
  for (const name of ['clientAccnum', 'clientSubacc', 'eventType'])
    if (address[name] !== undefined && fields[name] !== undefined && address[name] !== fields[name]) return undefined;
  return { ...address, ...fields };
}

/** Numbers stay as they are written: subscriptions have more digits than a number keeps. */
function readJson(body: string): Parameters | undefined {
  try {
    const parsed: unknown = JSON.parse(body, ((_name: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? String(value)) : value) as (
      name: string,
      value: unknown,
    ) => unknown);
    return Object.fromEntries(
      Object.entries(parsed as object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return undefined;
  }
}
