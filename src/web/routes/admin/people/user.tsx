import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Gift from 'lucide-react/icons/gift';
import KeyRound from 'lucide-react/icons/key-round';
import Monitor from 'lucide-react/icons/monitor';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState } from 'react';
import { href, Link } from 'react-router';
import { socialNames } from '#domain/identity/social-rules.ts';
import { formatDate } from '#formats/times.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { titled } from '#web/workshop/titled.ts';
import { suspensionText } from '#web/admin/people/suspension-text.ts';
import { useUserActs } from '#web/admin/people/use-user-acts.ts';
import { type Fold, UserActFolds } from '#web/admin/people/user-act-folds.tsx';
import { UserStates } from '#web/admin/people/user-states.tsx';
import { UserSubscription } from '#web/admin/people/user-subscription.tsx';
import { LogEntries } from '#web/admin/site/log-entries.tsx';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Fact, Facts } from '#web/workshop/facts.tsx';
import { Table } from '#web/workshop/lists/table.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import type { Route } from './+types/user';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const user = orNotFound(await site.admin.people.findUser(viewer, params.id));
  const { items } = await site.admin.site.listLogEntries(viewer, { subjectId: user.id }, { limit: 10 });
  return { user, entries: items, isOneself: user.id === viewer.id, now: new Date() };
}

type Loaded = Route.ComponentProps['loaderData'];

const nameOf = ({ username, email }: Loaded['user']) => username ?? email ?? t`A user`;

export const meta = titled(({ user }: Loaded) => nameOf(user));

/** One account. What its user listens to, saves or searches for is not loaded, so it cannot be shown. */
export default function AdminUser({ loaderData: { user, entries, isOneself, now } }: Route.ComponentProps) {
  const name = nameOf(user);
  const [open, setOpen] = useState<Fold>();
  const { sendPasswordReset } = useUserActs(user.id, name);
  return (
    <>
      <WorkshopHead
        title={name}
        picture={
          <span className="max-lg:hidden">
            <Avatar name={user.icon ?? user.username} color={user.color} size={64} />
          </span>
        }
        back={{ to: href('/admin/users'), label: t`Users` }}
        facts={
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
            <UserStates user={user} />
            <span className="tabular-nums">{t`Joined ${{ day: formatDate(user.createdAt) }}`}</span>
          </span>
        }
      >
        {user.email !== null && (
          <Button onClick={() => void sendPasswordReset()}>
            <Icon of={KeyRound} size={18} />
            <Trans>Reset password</Trans>
          </Button>
        )}
        <Button variant="primary" aria-expanded={open === 'months'} onClick={() => setOpen('months')}>
          <Icon of={Gift} size={18} />
          <Trans>Give months</Trans>
        </Button>
      </WorkshopHead>
      <p className="note note--info mb-6 items-center">
        <Icon of={ShieldCheck} size={18} />
        <span>
          {t`What ${name} listens to, keeps or searches is not shown here, and no page, export or log of Admin can show it. Only ${name} can see it, export it and delete it.`}
        </span>
      </p>
      <div className="main-and-aside">
        <div className="stack">
          <UserSubscription user={user} />
          <Sessions user={user} now={now} />
          {entries.length > 0 && (
            <Pane title={t`Operator actions`}>
              <LogEntries entries={entries} now={now} />
            </Pane>
          )}
        </div>
        <aside className="stack" aria-label={t`About ${name}`}>
          <UserFacts user={user} />
          <UserActFolds user={user} name={name} isOneself={isOneself} open={open} onOpen={setOpen} />
        </aside>
      </div>
    </>
  );
}

function Sessions({ user, now }: Pick<Loaded, 'user' | 'now'>) {
  const { endSessions } = useUserActs(user.id, nameOf(user));
  return (
    <Pane
      title={t`Sessions`}
      className="pane--flush"
      end={
        user.sessions.length > 0 && (
          <Button variant="ghost" size="sm" onClick={() => void endSessions()}>
            {t`Log out everywhere`}
          </Button>
        )
      }
    >
      {user.sessions.length === 0 ? (
        <p className="px-4 pt-1.5 pb-3.5 text-muted md:px-5.5">
          <Trans>Not logged in anywhere.</Trans>
        </p>
      ) : (
        <Table
          caption={t`Sessions`}
          look="data-table--compact data-table--cards"
          rows={user.sessions}
          keyOf={({ id }) => id}
          columns={[
            {
              head: t`Device`,
              kind: 'name',
              cell: ({ device }) => (
                <span className="flex items-center gap-2.5">
                  <Icon of={/Android|iPhone|iPad/.test(device) ? Smartphone : Monitor} size={18} />
                  {device}
                </span>
              ),
            },
            { head: t`Since`, className: 'text-muted', cell: ({ createdAt }) => formatDate(createdAt) },
            {
              head: t`Last seen`,
              className: 'text-muted',
              cell: ({ lastUsedAt }) => <LocalTime at={lastUsedAt} now={now.getTime()} style="moment" />,
            },
          ]}
        />
      )}
    </Pane>
  );
}

function UserFacts({ user }: Pick<Loaded, 'user'>) {
  const { takeVoice } = useUserActs(user.id, nameOf(user));
  const { about, aboutOpen, made, madeOpen } = user.reports;
  const credentials = user.hasPassword === null ? t`Unknown` : user.hasPassword ? t`A password` : socialNames();
  return (
    <>
      <Pane title={t`Facts`} gap="mb-1.5">
        <Facts>
          <Fact name={t`Email`} className="wrap-anywhere">
            {user.email ?? t`None`}
          </Fact>
          <Fact name={t`Id`} className="break-all text-13">
            {user.id}
          </Fact>
          <Fact name={t`Logs in with`}>
            {user.hasSecondFactor ? t`${credentials}, and a second factor` : credentials}
          </Fact>
          <Fact name={t`Role`}>
            {user.isAdmin ? t`Admin` : user.isModerator ? t`Moderator` : user.isCreator ? t`Creator` : t`Listener`}
          </Fact>
          <Fact name={t`Comments`}>{user.comments}</Fact>
          {user.suspensionReason !== null && (
            <Fact name={t`Suspended for`}>{suspensionText(user.suspensionReason)}</Fact>
          )}
        </Facts>
      </Pane>
      {user.voices.length > 0 && (
        <Pane title={t`Creator pages`} gap="mb-1.5">
          <ul className="details">
            {user.voices.map(({ slug, name: voice, role }) => (
              <li key={slug} className="details__row details__row--wide">
                <span>
                  <Link className="link" to={href('/creators/:slug', { slug })}>
                    {voice}
                  </Link>
                  , {role === 'owner' ? t`owner` : t`editor`}
                </span>
                <button
                  type="button"
                  className="link"
                  aria-label={t`Remove ${{ name: voice }}`}
                  onClick={() => void takeVoice(slug, voice, role)}
                >
                  <Trans>Remove</Trans>
                </button>
              </li>
            ))}
          </ul>
        </Pane>
      )}
      <Pane title={t`Reports`} gap="mb-1.5">
        <Facts>
          <Fact name={t`About them`}>{reportsOf(about, aboutOpen)}</Fact>
          <Fact name={t`By them`}>{reportsOf(made, madeOpen)}</Fact>
        </Facts>
      </Pane>
    </>
  );
}

function reportsOf(count: number, open: number): string {
  if (count === 0) return t`None`;
  return open === 0
    ? t`${plural(count, { one: '# report', other: '# reports' })}, all settled`
    : t`${plural(count, { one: '# report', other: '# reports' })}, ${plural(open, { one: '# open', other: '# open' })}`;
}
