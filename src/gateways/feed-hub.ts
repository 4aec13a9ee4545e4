import type { FeedHub } from '#domain/gateways.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import { callLimits } from './call-limits.ts';
import { timedFetch } from './timed-fetch.ts';

/** A WebSub hub, told as PubSubHubbub 0.4 does, which WebSub leaves to the hub (https://www.w3.org/TR/websub/#publishing). */
export function openFeedHub(url: string): FeedHub {
  return {
    async publish(addresses) {
      refuseInTransaction('The hub of feeds');
      const body = new URLSearchParams([
        ['hub.mode', 'publish'],
        ...addresses.map((address) => ['hub.url', address] as [string, string]),
      ]);
      const answer = await timedFetch(url, { method: 'POST', body, limitMs: callLimits.feedHub.answerMs });
      if (!answer.ok) throw new Error(`The hub of feeds answered ${answer.status}`);
    },
  };
}
