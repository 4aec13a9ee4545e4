import type { AnyCall, ApiOf } from './call.ts';
import { callsOf } from './call.ts';
import * as account from './account.ts';
import * as authentication from './authentication.ts';
import * as giftCards from './gift-cards.ts';
import * as invoices from './invoices.ts';
import * as privateFeeds from './private-feeds.ts';
import * as sessions from './sessions.ts';
import * as secondFactor from './admin/second-factor.ts';
import * as subscription from './subscription.ts';
import * as studioAudios from './studio/audios.ts';
import * as studioComments from './studio/comments.ts';
import * as studioFigures from './studio/figures.ts';
import * as lastChange from './studio/last-change.ts';
import * as studioSeries from './studio/series.ts';
import * as studioUploads from './studio/uploads.ts';
import * as studioVoices from './studio/voices.ts';

/** All calls, by the group that the reference shows them in. */
const files = [
  ['Accounts', account],
  ['Accounts', authentication],
  ['Accounts', sessions],
  ['Subscription', subscription],
  ['Subscription', invoices],
  ['Gift cards', giftCards],
  ['Podcast feeds', privateFeeds],
  ['Studio', studioAudios],
  ['Studio', studioComments],
  ['Studio', studioFigures],
  ['Studio', lastChange],
  ['Studio', studioSeries],
  ['Studio', studioUploads],
  ['Studio', studioVoices],
  ['Admin', secondFactor],
] as const;

/** Type of the browser's typed client. */
export type Api = ApiOf<(typeof files)[number][1]>;

/** Fixed words before parameters, as the router takes the first match. */
export const calls: { tag: string; call: AnyCall }[] = files
  .flatMap(([tag, module]) => callsOf(module).map((call) => ({ tag, call })))
  .toSorted((one, other) => (one.call.path < other.call.path ? -1 : 1));
