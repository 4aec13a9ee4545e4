import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { useEffect, useRef } from 'react';
import { href, Link, Outlet, useLocation, useMatch, useNavigate, useOutletContext } from 'react-router';
import { requestContext, siteContext } from '#web/context.ts';
import { AccountData } from '#web/identity/account/account-data.tsx';
import { formatMonth } from '#formats/times.ts';
import { AccountNav, partOfHash } from '#web/identity/account/account-nav.tsx';
import type { AccountOwner } from '#web/identity/account/account-profile.tsx';
import { type PlannedDeletion, PlannedDeletionNote } from '#web/identity/account/planned-deletion.tsx';
import { LogInButtons } from '#web/library/log-in-buttons.tsx';
import { deletionLine } from '#web/membership/invoices/deletion-line.ts';
import { pageMeta } from '#web/page-meta.ts';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import type { Route } from './+types/account';
import '#web/styles/account.css';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return { kind: 'visitor' as const };
  const { facts, identity, membership } = context.get(siteContext);
  const profile = await identity.findProfile(viewer.id);
  if (profile === undefined) return { kind: 'visitor' as const };
  const { id, username, email, icon, color, createdAt, hasPassword, passwordChangedAt, deletionDueAt } = profile;
  const deletion: PlannedDeletion | null = deletionDueAt && {
    dueAt: deletionDueAt,
    siteName: facts.name,
    email: facts.operator?.email,
  };
  if (username === null) {
    const loss = await deletionLine({ membership }, viewer.id);
    return { kind: 'incomplete' as const, hasPassword, loss, deletion };
  }
  const owner = { id, username, email, icon, color, createdAt, hasPassword, passwordChangedAt };
  return { kind: 'user' as const, owner, deletion };
}

const description = () => t`Your subscription, your profile, your password, where you are logged in, and your data.`;

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Account`, description: description(), index: 'no' });

export default function Account({ loaderData }: Route.ComponentProps) {
  const { kind } = loaderData;
  const shown = useRef(kind);
  // A log-in or log-out replaces the page under the same address, and the focused element disappears with the old one.
  useEffect(() => {
    if (shown.current === kind) return;
    shown.current = kind;
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#main h1')?.focus();
  }, [kind]);

  if (loaderData.kind === 'visitor') return <VisitorAccount />;
  if (loaderData.kind === 'incomplete') return <IncompleteAccount {...loaderData} />;
  return <OwnAccount {...loaderData} />;
}

/** For the pages of its parts, which exist only for logged-in users. */
export function useAccountOwner(): AccountOwner {
  return useOutletContext<AccountOwner>();
}

function VisitorAccount() {
  const asksForFeeds = useMatch('/account/feeds') !== null;
  return (
    <div className="wrap">
      <h1 className="text-60 pt-6" tabIndex={-1}>
        {asksForFeeds ? t`Podcast feeds` : t`Account`}
      </h1>
      <EmptyState
        title={asksForFeeds ? t`Listen in your podcast app` : t`Sign in to see your account`}
        text={asksForFeeds ? t`Subscribers get feeds of their own. Log in or sign up to make one.` : description()}
      >
        <LogInButtons />
      </EmptyState>
    </div>
  );
}

/** New social account without a username yet (product.md, “Register”). Its data can be downloaded and deleted. */
function IncompleteAccount({
  hasPassword,
  loss,
  deletion,
}: {
  hasPassword: boolean | null;
  loss: string | null;
  deletion: PlannedDeletion | null;
}) {
  const askToSignIn = useSignInPrompt();
  return (
    <div className="wrap">
      {deletion && <PlannedDeletionNote deletion={deletion} />}
      <EmptyState
        of="page"
        title={t`Choose a username`}
        text={t`It appears on your comments and playlists. Your account is complete once you have one.`}
      >
        <Button variant="primary" onClick={() => askToSignIn({ title: t`Sign in to see your account` })}>
          {t`Choose a username`}
        </Button>
      </EmptyState>
      <div className={`mx-auto mt-24 max-w-[720px] ${noRing}`}>
        <AccountData hasPassword={hasPassword} loss={loss} heading="h2" />
      </div>
    </div>
  );
}

// Not controls: they only receive the focus from script.
const noRing = '[&_:is(section,h1,h2):focus-visible]:[--ring:none] [&_section]:scroll-mt-6';

const owned = classNames(
  'grid content-start justify-items-start gap-x-4 *:min-w-0 max-lg:grid-cols-[auto_minmax(0,1fr)] max-lg:items-center',
  'lg:grid-cols-1 max-lg:[&>.avatar]:row-[1/3] max-lg:[&>.avatar]:size-16 max-lg:[&>.avatar]:text-[1.5rem] [&>:not(nav)]:max-w-full',
);

/** On a phone the account begins with its menu; otherwise the menu is beside the first part. */
function OwnAccount({ owner, deletion }: { owner: AccountOwner; deletion: PlannedDeletion | null }) {
  const isStart = useMatch(href('/account')) !== null;
  const month = formatMonth(owner.createdAt);
  useFormerAddress(isStart);
  const Name = isStart ? 'h1' : 'p';
  return (
    <div className="wrap">
      {deletion && <PlannedDeletionNote deletion={deletion} />}
      <div
        className={classNames(
          'grid gap-8 pt-8 lg:grid-cols-[280px_minmax(0,1fr)] lg:gap-16',
          !isStart && 'max-md:pt-6',
          noRing,
        )}
      >
        <aside className={classNames(owned, !isStart && 'max-md:hidden')}>
          <Avatar name={owner.icon ?? owner.username} color={owner.color} size={88} />
          <Name
            className="mt-4 font-display text-44 font-[380] wrap-anywhere max-lg:mt-0 max-lg:self-end max-lg:text-[1.75rem]"
            tabIndex={isStart ? -1 : undefined}
          >
            {owner.username}
          </Name>
          <p className="text-muted max-lg:self-start">{t`Listening since ${month}`}</p>
          <AccountNav />
        </aside>
        <div
          className={classNames(
            'min-w-0 [&>section+section]:mt-12 [&>section+div:has(>section)]:mt-12 [&>div>section+section]:mt-12',
            isStart && 'max-md:hidden',
          )}
        >
          {!isStart && (
            <Link className="link mb-2 gap-1 md:hidden" to={href('/account')}>
              <Icon of={ChevronLeft} size={16} />
              <Trans>Account</Trans>
            </Link>
          )}
          <Outlet context={owner} />
        </div>
      </div>
    </div>
  );
}

/** The parts were sections of one page (`/account#sessions`), and browsers do not send the fragment. */
function useFormerAddress(isStart: boolean): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const part = isStart ? partOfHash(hash) : undefined;
  useEffect(() => {
    if (part !== undefined) void navigate(href('/account/:id', { id: part }), { replace: true });
  }, [part, navigate]);
}
