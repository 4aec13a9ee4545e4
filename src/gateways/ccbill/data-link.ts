import { askProvider, unavailable } from '../hosted/ask-provider.ts';
import type { Parameters } from '../hosted/read-parameters.ts';

export type DataLinkOptions = {
  clientAccnum: string;
  clientSubacc: string;
  dataLinkUser: string;
  dataLinkPassword: string;
  dataLinkUrl?: string | undefined;
};

/** A subscription as CCBill knows it: `subscriptionStatus`, `nextBillingDate`, `cancelDate` and counts. */
export type SubscriptionStatus = Parameters & { subscriptionStatus: '0' | '1' | '2' };

/** Not known, not of this account, or of a kind that the action does not take. */
const unknownCodes = new Set(['-2', '-3', '-4']);

export function openDataLink(options: DataLinkOptions) {
  const { clientAccnum, clientSubacc, dataLinkUser, dataLinkPassword } = options;
  const { dataLinkUrl = 'https://datalink.ccbill.com' } = options;

  /** The password is in the body, since addresses end up in logs. */
  async function ask(action: string, subscriptionId: string): Promise<Parameters> {
    const response = await askProvider('CCBill', `${dataLinkUrl}/utils/subscriptionManagement.cgi`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        clientAccnum,
        clientSubacc,
        username: dataLinkUser,
        password: dataLinkPassword,
        action,
        subscriptionId,
        returnXML: '1',
      }).toString(),
    });
    return readAnswer((await response?.text()) ?? '');
  }

  return {
    /**
     * @returns undefined for a subscription that is not of this account
     * @throws DomainError `payment/unavailable`
     */
    async view(subscriptionId: string): Promise<SubscriptionStatus | undefined> {
      const answer = await ask('viewSubscriptionStatus', subscriptionId);
      if (isStatus(answer)) return answer;
      if (unknownCodes.has(answer['results'] ?? '')) return undefined;
      throw unavailable('CCBill', `DataLink answered ${answer['results'] ?? 'something else'}`);
    },

    /** @returns whether it was accepted @throws DomainError `payment/unavailable` */
    async cancel(subscriptionId: string): Promise<boolean> {
      const { results = '' } = await ask('cancelSubscription', subscriptionId);
      if (results === '1') return true;
      if (results === '0' || unknownCodes.has(results)) return false;
      throw unavailable('CCBill', `DataLink answered ${results || 'something else'}`);
    },
  };
}

/** XML of one level, or a code alone, also as a column. */
export function readAnswer(text: string): Parameters {
  const leaves = [...text.matchAll(/<(\w+)>\s*([^<]*?)\s*<\/\1>/g)].map(([, name = '', value = '']) => [name, value]);
  if (leaves.length > 0) return Object.fromEntries(leaves) as Parameters;
  const [, results] = /^(?:"?results"?\s+)?"?(-?\d{1,3})"?$/.exec(text.trim()) ?? [];
  return results === undefined ? {} : { results };
}

const isStatus = (answer: Parameters): answer is SubscriptionStatus =>
  ['0', '1', '2'].includes(answer['subscriptionStatus'] ?? '');
