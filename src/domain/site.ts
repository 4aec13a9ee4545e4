import { openContent } from './admin/open-content.ts';
import { openAnalytics } from './analytics/open-analytics.ts';
import type { EventForwarder } from './analytics/event-forwarder.ts';
import { openCatalogue } from './catalogue/open-catalogue.ts';
import { blockedUsersSql } from './community/blocks.ts';
import { openCommunity } from './community/open-community.ts';
import { othersVoiceSlugsSql, voiceRolesSql } from './community/voice-owners.ts';
import type { Operator } from './editorial/info-pages.ts';
import { openEditorial } from './editorial/open-editorial.ts';
import type { Mail } from './gateways.ts';
import { openIdentity } from './identity/open-identity.ts';
import type { UserSql } from './identity/parts.ts';
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
  secret,
  searchIndex = openBuiltInIndex(db),
  forwarder,
}: {
  db: Db;
  facts: SiteFacts;
  identityProvider: IdentityProvider;
  payments: PaymentProvider;
  mail: Mail;
  /** Key of the stored hashes of addresses and accounts; the same in every process. */
  secret: string;
  /** Default: the built-in one. */
  searchIndex?: SearchIndex;
  /** Third-party destination of events; default: none. */
  forwarder?: EventForwarder | undefined;
}) {
  const membership = openMembership({ db, secret, payments, mail, site: { name: facts.name, url: facts.url } });
  const search = openSearch({ db, secret, index: searchIndex });
  return {
    facts,
    identity: openIdentity({
      db,
      secret,
      provider: identityProvider,
      siteName: facts.name,
      userSql,
      privacy: openPrivacy({ db }),
      withoutCharges: membership.withoutCharges,
    }),
    catalogue: openCatalogue({ db }),
    community: openCommunity({ db }),
    membership,
    listening: openListening({ db, secret, searchTerms: search }),
    library: openLibrary({ db, secret }),
    search,
    editorial: await openEditorial({ db, facts, findOffer: membership.findOffer }),
    analytics: openAnalytics({ db, forwarder }),
    studio: openStudio({ db }),
    content: openContent({
      db,
      site: { name: facts.name, url: facts.url },
      mail,
      operatorEmail: facts.operator?.email,
      membership: {
        isSubscribed: async (userId) => (await membership.findSubscriptionState(userId)).isSubscribed,
        stopRenewal: (userId, paysBack) =>
          paysBack
            ? refundUnused({ db, payments, mail, site: { name: facts.name, url: facts.url } }, userId)
            : membership.cancelSubscription(userId, 'suspended'),
        resumeRenewal: (userId) => membership.resumeSubscription(userId),
      },
    }),
  };
}
