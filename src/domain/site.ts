import { openAdmin } from './admin/open-admin.ts';
import { openContent } from './admin/open-content.ts';
import type { Operations } from './admin/operations.ts';
import { openAnalytics } from './analytics/open-analytics.ts';
import type { EventForwarder } from './analytics/event-forwarder.ts';
import { openCatalogue } from './catalogue/open-catalogue.ts';
import { blockedUsersSql } from './community/blocks.ts';
import { openCommunity } from './community/open-community.ts';
import { othersVoiceSlugsSql, voiceRolesSql } from './community/voice-owners.ts';
import type { Operator } from './editorial/info-pages.ts';
import { openEditorial } from './editorial/open-editorial.ts';
import type { Blobs, Covers, Mail } from './gateways.ts';
import { openIdentity } from './identity/open-identity.ts';
import type { IdentityParts, UserSql } from './identity/parts.ts';
import type { IdentityProvider } from './identity/provider.ts';
import type { BrowserIdentitySettings } from './identity/rules.ts';
import type { Db } from './kernel/db.ts';
import { openLibrary } from './library/open-library.ts';
import { openListening } from './listening/open-listening.ts';
import { isSubscribedSql } from './membership/entitlement.ts';
import { openMembership } from './membership/open-membership.ts';
import { refundUnused } from './membership/refunds.ts';
import type { PaymentProvider } from './membership/payment-provider.ts';
import type { BrowserPaymentSettings, TestCard } from './membership/rules.ts';
import { openPrivacy } from './privacy/open-privacy.ts';
import { openBuiltInIndex } from './search/built-in-index.ts';
import { openSearch } from './search/open-search.ts';
import type { SearchIndex } from './search/search-index.ts';
import { featureSetting } from './settings/features.ts';
import type { Feature } from './settings/rules.ts';
import { openSettings } from './settings/open-settings.ts';
import { openStudio } from './studio/open-studio.ts';

/** Public facts about the site for pages and the API. */
export type SiteFacts = {
  name: string;
  /** Origin, without a trailing slash. */
  url: string;
  appLinks: { ios: string | undefined; android: string | undefined };
  /** Identity provider settings for the browser. */
  identity: BrowserIdentitySettings;
  /** Payment provider settings for the browser. */
  payments: BrowserPaymentSettings;
  /** Shown beside the form; empty with real payments. */
  testCards: TestCard[];
  /** Key of the v2 transport; absent: plain JSON. */
  transportKey: string | undefined;
  /** For the info pages. */
  operator?: Operator;
  /** Events are also forwarded to a third-party service. */
  isForwarding?: boolean;
};

/** Identity shows and checks facts that areas above it own. */
export const userSql: UserSql = {
  isSubscribed: isSubscribedSql,
  voiceRoles: voiceRolesSql,
  blockedUserIds: blockedUsersSql,
  othersSlugs: othersVoiceSlugsSql,
};

/** The whole application as one object; pages and the HTTP API both use it. */
export type Site = Awaited<ReturnType<typeof openSite>>;

export async function openSite({
  db,
  facts,
  identityProvider,
  payments,
  mail,
  blobs,
  covers,
  secret,
  adminSecondFactor,
  searchIndex = openBuiltInIndex(db),
  forwarder,
  operations,
}: {
  db: Db;
  facts: SiteFacts;
  identityProvider: IdentityProvider;
  payments: PaymentProvider;
  mail: Mail;
  blobs: Blobs;
  covers: Covers;
  /** Key of the stored hashes of addresses and accounts; the same in every process. */
  secret: string;
  /** Whether operators need a second factor. */
  adminSecondFactor: 'required' | 'optional';
  /** Default: the built-in one. */
  searchIndex?: SearchIndex;
  /** Third-party destination of events; default: none. */
  forwarder?: EventForwarder | undefined;
  /** How the process is doing, for Admin; default: not known. */
  operations?: Omit<Operations, 'isSearchReady'> | undefined;
}) {
  const settings = await openSettings({ db });
  const isOn = (feature: Feature) => settings.read(featureSetting)[feature];
  const ownSite = { name: facts.name, url: facts.url };
  const membership = openMembership({ db, secret, settings, payments, mail, site: ownSite });
  const search = openSearch({ db, secret, index: searchIndex, settings });
  const identity: IdentityParts = {
    db,
    secret,
    provider: identityProvider,
    siteName: facts.name,
    isSignUpOpen: () => isOn('signUp'),
    siteUrl: facts.url,
    adminSecondFactor,
    userSql,
    privacy: openPrivacy({ db }),
    withoutCharges: membership.withoutCharges,
  };
  return {
    facts,
    settings,
    /** Whether the site has it, as an operator chose. */
    isOn,
    identity: openIdentity(identity),
    catalogue: openCatalogue({ db }),
    community: openCommunity({ db, settings }),
    membership,
    listening: openListening({ db, secret, searchTerms: search }),
    library: openLibrary({ db, secret, settings }),
    search,
    editorial: await openEditorial({
      db,
      facts,
      findOffer: membership.findOffer,
      isBlogOn: () => isOn('blog'),
    }),
    analytics: openAnalytics({ db, forwarder }),
    studio: openStudio({ db, blobs, covers, settings }),
    content: openContent({
      db,
      site: ownSite,
      mail,
      operatorEmail: facts.operator?.email,
      membership: {
        isSubscribed: async (userId) => (await membership.findSubscriptionState(userId)).isSubscribed,
        stopRenewal: (userId, paysBack) =>
          paysBack
            ? refundUnused({ db, payments, mail, site: ownSite }, userId)
            : membership.cancelSubscription(userId, 'suspended'),
        resumeRenewal: (userId) => membership.resumeSubscription(userId),
      },
    }),
    admin: openAdmin({
      db,
      search,
      identity,
      membership: { db, payments, mail, site: ownSite },
      mail,
      site: ownSite,
      settings,
      operations: operations && { ...operations, isSearchReady: search.isReady },
    }),
  };
}
