import { useEffect, useRef } from 'react';
import { visitor } from '#domain/identity/rules.ts';
import { BlockedUsers } from '#web/community/blocked-users.tsx';
import { requestContext, siteContext } from '#web/context.ts';
import { AccountData } from '#web/identity/account-data.tsx';
import { formatMonth } from '#web/identity/account-dates.ts';
import { AccountNav } from '#web/identity/account-nav.tsx';
import { AccountProfile } from '#web/identity/account-profile.tsx';
import { ConsentChoice } from '#web/insight/consent-choice.tsx';
import { AccountSessions } from '#web/identity/account-sessions.tsx';
import { LeftOutTags } from '#web/library/left-out-tags.tsx';
import { LogInButtons } from '#web/library/log-in-buttons.tsx';
import { AccountGiftCards } from '#web/membership/account-gift-cards.tsx';
import { AccountInvoices } from '#web/membership/account-invoices.tsx';
import { SubscriptionSection } from '#web/membership/subscription-section.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { useRootData } from '#web/root-data.ts';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { Route } from './+types/account';

export { PageError as ErrorBoundary } from '#web/page-error.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return { kind: 'visitor' as const };
  const { catalogue, community, facts, identity, insight, library, membership } = context.get(siteContext);
  const profile = await identity.findProfile(viewer.id);
  if (profile === undefined) return { kind: 'visitor' as const };
  const { id, username, email, icon, color, createdAt, hasPassword, passwordChangedAt } = profile;
  if (username === null) return { kind: 'incomplete' as const, hasPassword };
  const [subscription, invoices, giftCards, blocked, leftOut, tags] = await Promise.all([
    membership.findSubscription(viewer.id),
    membership.listInvoices(viewer.id, { limit: invoicesShown }),
    membership.listGiftCards(viewer.id),
    community.listBlockedUsers(viewer.id, { limit: 24 }),
    library.listLeftOutTags(viewer.id),
    // All of them: for the user, those that are left out are not there.
    catalogue.listTags(visitor, { limit: 100 }),
  ]);
  return {
    kind: 'user' as const,
    createdAt,
    figures: { consent: await insight.findConsent(viewer.id), isForwarding: facts.isForwarding ?? false },
    membership: { subscription, invoices, giftCards, now: Date.now() },
    blocked: {
      ...blocked,
      items: blocked.items.map((user) => ({ ...user, blockedAt: user.blockedAt.toISOString() })),
    },
    leftOut,
    tags,
    owner: { id, username, email, icon, color, hasPassword, passwordChangedAt },
  };
}

const invoicesShown = 3;

const description = 'Your subscription, your profile, your password, where you are logged in, and your data.';

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Account', description, index: 'no' });
}

export default function Account({ loaderData }: Route.ComponentProps) {
  const { kind } = loaderData;
  const shown = useRef(kind);
  // Whoever logs in or out here gets another page under the same address; what had the focus is gone with the first.
  useEffect(() => {
    if (shown.current === kind) return;
    shown.current = kind;
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#main h1')?.focus();
  }, [kind]);

  if (loaderData.kind === 'visitor') return <VisitorAccount />;
  if (loaderData.kind === 'incomplete') return <IncompleteAccount hasPassword={loaderData.hasPassword} />;
  return <OwnAccount {...loaderData} />;
}

function VisitorAccount() {
  return (
    <div className="wrap">
      <h1 className="t-60 pt-6" tabIndex={-1}>
        Account
      </h1>
      <EmptyState title="Sign in to see your account" text={description}>
        <LogInButtons />
      </EmptyState>
    </div>
  );
}

/** A new social account that has put the choice of a username off (product.md, "Register"). What is known of it can be had, and deleted. */
function IncompleteAccount({ hasPassword }: { hasPassword: boolean | null }) {
  const askToSignIn = useSignInPrompt();
  const root = useRootData();
  return (
    <div className="wrap">
      <EmptyState
        of="page"
        title="Choose a username"
        text="It appears on your comments and playlists. Your account is complete once you have one."
      >
        <Button variant="primary" onClick={() => askToSignIn({ to: 'see your account' })}>
          Choose a username
        </Button>
      </EmptyState>
      <div className="acct__rest">
        <AccountData siteName={root?.siteName ?? ''} hasPassword={hasPassword} />
      </div>
    </div>
  );
}

type OwnAccountProps = Extract<Route.ComponentProps['loaderData'], { kind: 'user' }>;

function OwnAccount({ owner, createdAt, figures, membership, blocked, leftOut, tags }: OwnAccountProps) {
  const root = useRootData();
  const { subscription, invoices, giftCards, now } = membership;
  return (
    <div className="wrap">
      <div className="acct">
        <aside className="acct__who">
          <Avatar name={owner.icon ?? owner.username} color={owner.color} size={88} />
          <h1 className="t-44" tabIndex={-1}>
            {owner.username}
          </h1>
          <p className="text-muted">Listening since {formatMonth(createdAt)}</p>
          <AccountNav appLinks={root?.appLinks ?? {}} />
        </aside>
        <div>
          <SubscriptionSection siteName={root?.siteName ?? ''} subscription={subscription} now={now} />
          <AccountInvoices page={invoices} />
          <AccountGiftCards giftCards={giftCards} />
          <AccountProfile owner={owner} />
          <AccountSessions asOf={owner.passwordChangedAt?.getTime()} />
          <BlockedUsers page={blocked} />
          <LeftOutTags leftOut={leftOut} tags={tags} />
          <ConsentChoice {...figures} />
          <AccountData siteName={root?.siteName ?? ''} hasPassword={owner.hasPassword} />
        </div>
      </div>
    </div>
  );
}
