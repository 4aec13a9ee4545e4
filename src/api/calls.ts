import { type AnyCall, type ApiOf, callsOf } from './call.ts';
import * as account from './account/account.ts';
import * as adminAnything from './admin/anything.ts';
import * as adminAudios from './admin/content/audios.ts';
import * as adminCategories from './admin/content/categories.ts';
import * as adminDesk from './admin/desk.ts';
import * as adminChain from './admin/content/chain.ts';
import * as adminFacets from './admin/content/facets.ts';
import * as adminPlaylists from './admin/content/playlists.ts';
import * as adminSeries from './admin/content/series.ts';
import * as adminTags from './admin/content/tags.ts';
import * as adminVerifications from './admin/content/verifications.ts';
import * as adminVoices from './admin/content/voices.ts';
import * as adminEarnings from './admin/earnings.ts';
import * as adminMemberImports from './admin/member-imports.ts';
import * as adminMoney from './admin/money.ts';
import * as adminPeople from './admin/people.ts';
import * as adminReviews from './admin/reviews.ts';
import * as secondFactor from './admin/second-factor.ts';
import * as adminLook from './admin/site/look.ts';
import * as adminSettings from './admin/site/settings.ts';
import * as adminSystem from './admin/site/system.ts';
import * as adminTexts from './admin/texts.ts';
import * as adminTranslations from './admin/translations.ts';
import * as age from './account/age.ts';
import * as analytics from './analytics.ts';
import * as audios from './audios.ts';
import * as authentication from './account/authentication.ts';
import * as blocks from './blocks.ts';
import * as blog from './blog.ts';
import * as categories from './categories.ts';
import * as clips from './account/clips.ts';
import * as comments from './comments.ts';
import * as downloads from './downloads.ts';
import * as favorites from './favorites.ts';
import * as giftCards from './account/gift-cards.ts';
import * as tips from './account/tips.ts';
import * as hidden from './hidden.ts';
import * as invoices from './account/invoices.ts';
import * as languages from './languages.ts';
import * as listening from './listening.ts';
import * as mixes from './mixes.ts';
import * as moments from './account/moments.ts';
import * as notices from './notices.ts';
import * as notifications from './notifications.ts';
import * as playlists from './playlists.ts';
import * as privateFeeds from './account/private-feeds.ts';
import * as queue from './queue.ts';
import * as search from './search.ts';
import * as series from './series.ts';
import * as sessions from './account/sessions.ts';
import * as studioAudios from './studio/audios.ts';
import * as studioComments from './studio/comments.ts';
import * as studioFeedImports from './studio/feed-imports.ts';
import * as studioFigures from './studio/figures.ts';
import * as lastChange from './studio/last-change.ts';
import * as studioCredits from './studio/credits.ts';
import * as studioEarnings from './studio/earnings.ts';
import * as studioPayees from './studio/payees.ts';
import * as studioPerformers from './studio/performers.ts';
import * as studioSeries from './studio/series.ts';
import * as studioSplits from './studio/splits.ts';
import * as studioTiming from './studio/timing.ts';
import * as studioTranslations from './studio/translations.ts';
import * as studioUploads from './studio/uploads.ts';
import * as studioVerification from './studio/verification.ts';
import * as studioVoices from './studio/voices.ts';
import * as subscription from './account/subscription.ts';
import * as userPlaylists from './user-playlists.ts';
import * as voices from './voices.ts';

/** All calls, by the group that the reference shows them in. */
const files = [
  ['Audios', audios],
  ['Voices', voices],
  ['Categories', categories],
  ['Series', series],
  ['Playlists', playlists],
  ['User playlists', userPlaylists],
  ['Comments', comments],
  ['Notices', notices],
  ['Search', search],
  ['Listening', languages],
  ['Listening', listening],
  ['Listening', queue],
  ['Listening', downloads],
  ['Listening', clips],
  ['Library', favorites],
  ['Library', hidden],
  ['Library', mixes],
  ['Library', moments],
  ['Blocking', blocks],
  ['News', notifications],
  ['Blog', blog],
  ['Analytics', analytics],
  ['Accounts', account],
  ['Accounts', age],
  ['Accounts', authentication],
  ['Accounts', sessions],
  ['Subscription', subscription],
  ['Subscription', invoices],
  ['Gift cards', giftCards],
  ['Tips', tips],
  ['Podcast feeds', privateFeeds],
  ['Studio', studioAudios],
  ['Studio', studioComments],
  ['Studio', studioCredits],
  ['Studio', studioEarnings],
  ['Studio', studioFeedImports],
  ['Studio', studioFigures],
  ['Studio', lastChange],
  ['Studio', studioPayees],
  ['Studio', studioPerformers],
  ['Studio', studioSeries],
  ['Studio', studioSplits],
  ['Studio', studioTiming],
  ['Studio', studioTranslations],
  ['Studio', studioUploads],
  ['Studio', studioVerification],
  ['Studio', studioVoices],
  ['Admin', secondFactor],
  ['Admin', adminAnything],
  ['Admin', adminAudios],
  ['Admin', adminCategories],
  ['Admin', adminDesk],
  ['Admin', adminChain],
  ['Admin', adminPlaylists],
  ['Admin', adminSeries],
  ['Admin', adminFacets],
  ['Admin', adminTags],
  ['Admin', adminVerifications],
  ['Admin', adminVoices],
  ['Admin', adminEarnings],
  ['Admin', adminMoney],
  ['Admin', adminPeople],
  ['Admin', adminMemberImports],
  ['Admin', adminReviews],
  ['Admin', adminLook],
  ['Admin', adminSettings],
  ['Admin', adminSystem],
  ['Admin', adminTexts],
  ['Admin', adminTranslations],
] as const;

/** Type of the browser's typed client. */
export type Api = ApiOf<(typeof files)[number][1]>;

/** Fixed words before parameters, as the router takes the first match. */
export const calls: { tag: string; name: string; call: AnyCall }[] = files
  .flatMap(([tag, module]) => callsOf(module).map((one) => ({ tag, ...one })))
  .toSorted((one, other) => (one.call.path < other.call.path ? -1 : 1));
