import { type RegionSources, openAge } from './age/open-age.ts';
import type { AgeProvider } from './age/ways.ts';
import { openAdmin } from './admin/open-admin.ts';
import type { Operations } from './admin/operations.ts';
import { openAnalytics } from './analytics/open-analytics.ts';
import type { EventForwarder } from './analytics/events.ts';
import { openCatalogue } from './catalogue/open-catalogue.ts';
import { hidesNothingSql } from './catalogue/visibility.ts';
import { blockedUsersSql } from './community/blocks.ts';
import { openCommunity } from './community/open-community.ts';
import { openEarnings } from './earnings/open-earnings.ts';
import { othersVoiceSlugsSql, voiceRolesSql } from './community/voice-owners.ts';
import type { Operator } from './editorial/info-pages.ts';
import { openEditorial } from './editorial/open-editorial.ts';
import { openFeeds } from './feeds/open-feeds.ts';
import type { AddJobs, Blobs, Covers, IncomingFiles, Mail, Push } from './gateways.ts';
import { openIdentity } from './identity/open-identity.ts';
import type { IdentityParts, UserSql } from './identity/parts.ts';
import type { IdentityProvider } from './identity/provider.ts';
import type { BrowserIdentitySettings } from './identity/rules.ts';
import type { Db } from './kernel/db.ts';
import { type SharedReads, unshared } from './kernel/shared-reads.ts';
import { openLibrary } from './library/open-library.ts';
import { openLook } from './look/open-look.ts';
import { openListening } from './listening/open-listening.ts';
import { hasSubscriptionSql, isSubscribedSql } from './membership/entitlement.ts';
import type { MembershipParts } from './membership/customers.ts';
import { openMembership } from './membership/open-membership.ts';
import { refundUnused } from './membership/refunds.ts';
import type { PaymentProviders } from './membership/payment-providers.ts';
import type { BrowserPaymentSettings, CardPaymentSettings, TestCard } from './membership/shapes.ts';
import { preparePageFacts } from './page-facts.ts';
import type { OfferedLanguages } from '#formats/languages.ts';
import { openCase } from './notices/cases.ts';
import { openNotices } from './notices/open-notices.ts';
import { openNotifications } from './notifications/open-notifications.ts';
import { unsubscribeToken } from './notifications/unsubscribe.ts';
import { openPrivacy } from './privacy/open-privacy.ts';
import { openDatabaseIndex } from './search/database-index.ts';
import { openSearch } from './search/open-search.ts';
import type { SearchIndex } from './search/search-index.ts';
import { featureSetting } from './settings/features.ts';
import { offeredLanguages } from './settings/languages.ts';
import { mailTextsOf } from './settings/mail-texts.ts';
import type { Feature } from './settings/rules.ts';
import { type Settings, openSettings } from './settings/open-settings.ts';
import { sharedByLanguage, keepWords } from './settings/translations.ts';
import { enterUnknownFiles, removeUnusedFiles } from './stored-files.ts';
import { openStudio } from './studio/open-studio.ts';
import { openVerification } from './verification/open-verification.ts';
import { mailOwners } from './verification/verifications.ts';
import type { CreatorProvider } from './verification/provider-checks.ts';

/** Public facts about the site for pages and the API. */
export type SiteFacts = {
  /** Operators change it while the site runs, so read it whenever it is shown. */
  readonly name: string;
  /** Origin, without a trailing slash. */
  url: string;
  appLinks: { ios: string | undefined; android: string | undefined };
  /** Operators change them, too. */
  readonly languages: OfferedLanguages;
  /** Identity provider settings for the browser. */
  identity: BrowserIdentitySettings;
  /** Settings of the main payment provider for the browser; operators change which one it is. */
  readonly payments: BrowserPaymentSettings;
  /** Settings of the provider with a card form, which may not be the main one. */
  cardPayments: CardPaymentSettings | undefined;
  /** Names of all payment providers that the site works with. */
  paymentTitles: readonly string[];
  /** Shown beside the form; empty with real payments. */
  testCards: TestCard[];
  /** Key of the v2 transport; absent: plain JSON. */
  transportKey: string | undefined;
  /** Address of the WebSub hub that public feeds name. */
  feedHub?: string | undefined;
  /** Host of the speech service that drafts transcripts. */
  speechHost?: string | undefined;
  /** For the info pages. */
  operator?: Operator;
  /** Events are also forwarded to a third-party service. */
  isForwarding?: boolean;
};

/** Facts of higher areas that identity shows and checks. */
export const userSql: UserSql = {
  isSubscribed: isSubscribedSql,
  hasSubscription: hasSubscriptionSql,
  voiceRoles: voiceRolesSql,
  blockedUserIds: blockedUsersSql,
  hidesNothing: hidesNothingSql,
  othersSlugs: othersVoiceSlugsSql,
};

/** Without pushes, no endpoint is accepted. */
const withoutPush: Push = { publicKey: '', accepts: () => false, send: async () => ({ is: 'gone' }) };

/** The whole application as one object; pages and the HTTP API both use it. */
export type Site = Awaited<ReturnType<typeof openSite>>;

export async function openSite({
  db,
  settings: openedSettings,
  facts: given,
  identityProvider,
  payments,
  mail,
  blobs,
  incoming,
  covers,
  secret,
  adminSecondFactor,
  isOnlyLocal = true,
  regionSources,
  ageProvider,
  creatorProvider,
  searchIndex = openDatabaseIndex({ db }),
  forwarder,
  operations,
  push = withoutPush,
  shared: sharedByAll = unshared,
  addJobs = async () => {},
  addJobsOrWarn = addJobs,
}: {
  db: Db;
  /** Shared with the gateways that read settings; default: opened here. */
  settings?: Settings | undefined;
  /** `name` is the default one. */
  facts: Omit<SiteFacts, 'languages'>;
  identityProvider: IdentityProvider;
  payments: PaymentProviders;
  mail: Mail;
  blobs: Blobs;
  incoming: Pick<IncomingFiles, 'remove'>;
  covers: Covers;
  /** Key of the stored hashes of addresses and accounts; the same in every process. */
  secret: string;
  /** Whether operators need a second factor. */
  adminSecondFactor: 'required' | 'optional';
  /** No other machine can open the site, so that nobody is asked for their age by default; default: true. */
  isOnlyLocal?: boolean;
  /** Sources of a visitor’s region; default: it is unknown. */
  regionSources?: RegionSources;
  /** Default: none. */
  ageProvider?: AgeProvider | undefined;
  /** Checks who creators are; default: none. */
  creatorProvider?: CreatorProvider | undefined;
  /** Default: the built-in one. */
  searchIndex?: SearchIndex;
  /** Third-party destination of events; default: none. */
  forwarder?: EventForwarder | undefined;
  /** State of the process, for Admin; default: unknown. */
  operations?: Operations | undefined;
  /** Default: browsers cannot subscribe. */
  push?: Push | undefined;
  /** Caches what is the same for all viewers; default: no cache. */
  shared?: SharedReads;
  /** Default: none is added. */
  addJobs?: AddJobs;
  /** For work that a scheduled job finds too: without a queue it is only late. Never rejects; default: `addJobs`. */
  addJobsOrWarn?: AddJobs;
}) {
  const settings = openedSettings ?? (await openSettings({ db }));
  keepWords(db, settings.words);
  const shared = sharedByLanguage(sharedByAll, settings.words);
  const isOn = (feature: Feature) => settings.read(featureSetting)[feature];
  const look = openLook({ db, settings, siteName: given.name });
  const facts: SiteFacts = {
    ...given,
    get name() {
      return look.name();
    },
    get languages() {
      return offeredLanguages(settings);
    },
    get payments() {
      return given.payments;
    },
  };
  const ownSite = {
    get name() {
      return look.name();
    },
    url: facts.url,
    takesAnswers: facts.operator?.email !== undefined,
    textOf: mailTextsOf(settings),
  };
  const unsubscribeUrlOf = (userId: string) => `${facts.url}/unsubscribe/${unsubscribeToken(secret, userId)}`;
  const membershipParts: MembershipParts = {
    db,
    payments,
    mail,
    site: ownSite,
    unsubscribeUrlOf,
    mailOwners: (tx, voiceId, write) => mailOwners({ db: tx, mail }, voiceId, write),
  };
  const membership = openMembership({ ...membershipParts, secret, settings });
  const search = openSearch({ db, secret, index: searchIndex, settings });
  const identity: IdentityParts = {
    db,
    secret,
    provider: identityProvider,
    get siteName() {
      return look.name();
    },
    isSignUpOpen: () => isOn('signUp'),
    siteUrl: facts.url,
    adminSecondFactor,
    userSql,
    privacy: openPrivacy({ db, incoming, secret }),
    withoutCharges: membership.withoutCharges,
  };
  const editorial = await openEditorial({
    db,
    settings,
    facts,
    findOffer: membership.findOffer,
    isBlogOn: () => isOn('blog'),
  });
  const notices = { db, secret, settings, mail, site: ownSite, operatorEmail: facts.operator?.email };
  return {
    facts,
    settings,
    /** Whether the operator left the feature on. */
    isOn,
    look,
    age: openAge({ db, settings, secret, isOnlyLocal, regionSources, siteUrl: facts.url, provider: ageProvider }),
    /** Facts about the user that every page shows; undefined for a deleted user. */
    findPageFacts: preparePageFacts({ db, shared, userSql }),
    identity: openIdentity(identity),
    catalogue: openCatalogue({ db, shared }),
    notices: openNotices(notices),
    community: openCommunity({ db, settings, shared }),
    membership,
    listening: openListening({
      db,
      secret,
      shared,
      searchTerms: search,
      addJobs: addJobsOrWarn,
      areClipsOn: () => isOn('clips'),
    }),
    library: openLibrary({ db, secret, settings, shared }),
    search,
    feeds: openFeeds({ db, secret, settings, mail, site: ownSite }),
    editorial,
    analytics: openAnalytics({ db, forwarder }),
    notifications: openNotifications({ db, settings, mail, push, site: ownSite, secret }),
    files: {
      removeUnused: (signal?: AbortSignal) => removeUnusedFiles({ db, blobs }, signal),
      enterUnknown: (signal?: AbortSignal) => enterUnknownFiles({ db, blobs }, signal),
    },
    verification: openVerification({
      db,
      secret,
      siteUrl: facts.url,
      provider: creatorProvider,
      mail,
      site: ownSite,
      operatorEmail: facts.operator?.email,
      openCase: (tx, given) => openCase(tx, notices, given),
    }),
    studio: openStudio({ db, blobs, covers, settings, mail, site: ownSite, addJobs: addJobsOrWarn, secret }),
    earnings: openEarnings({ db, secret }),
    admin: openAdmin({
      db,
      blobs,
      covers,
      addJobs,
      addJobsOrWarn,
      notices,
      editorial,
      search,
      identity,
      membership: membershipParts,
      mail,
      site: ownSite,
      settings,
      operations,
      operatorEmail: facts.operator?.email,
      isSubscribed: async (userId) => (await membership.findSubscriptionState(userId)).isSubscribed,
      renewals: {
        async stopRenewal(userId, paysBack) {
          if (!paysBack) return (await membership.stopRenewal(userId, 'suspended')).hasStopped;
          await refundUnused(membershipParts, userId);
          return false;
        },
        resumeRenewal: (userId) => membership.resumeSubscription(userId),
      },
    }),
  };
}
