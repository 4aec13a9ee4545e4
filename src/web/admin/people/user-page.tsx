import ChevronLeft from 'lucide-react/icons/chevron-left';
import Gift from 'lucide-react/icons/gift';
import KeyRound from 'lucide-react/icons/key-round';
import Monitor from 'lucide-react/icons/monitor';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { LogEntry } from '#domain/admin/site/log.ts';
import type { UserDetail } from '#domain/admin/people/users.ts';
import { countOf } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import { LogEntries } from '../site/log-entries.tsx';
import { useUserActs } from './use-user-acts.ts';
import type { Fold } from './user-act-folds.tsx';
import { UserActFolds } from './user-act-folds.tsx';
import { UserStates } from './user-states.tsx';
import { UserSubscription } from './user-subscription.tsx';

type UserPageProps = { user: UserDetail; entries: LogEntry[]; isOneself: boolean; now: Date };

/** One account. What its user listens to, saves or searches for is not loaded, so it cannot be shown. */
export function UserPage({ user, entries, isOneself, now }: UserPageProps) {
  const name = user.username ?? user.email ?? 'A user';
  const [open, setOpen] = useState<Fold>();
  const { endSessions, takeVoice, sendPasswordReset } = useUserActs(user.id, name);
  return (
    <>
      <div className="page-head">
        <span className="max-lg:hidden">
          <Avatar name={user.icon ?? user.username} color={user.color} size={64} />
        </span>
        <div className="page-head__title">
          <Link className="back" to={href('/admin/users')}>
            <Icon of={ChevronLeft} size={16} />
            Users
          </Link>
          <h1 className="break-words">{name}</h1>
          <p className="page-head__facts flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
            <UserStates user={user} />
            <span className="tabular-nums">Joined {formatDate(user.createdAt)}</span>
          </p>
        </div>
        <div className="page-head__acts">
          {user.email !== null && (
            <Button onClick={() => void sendPasswordReset()}>
              <Icon of={KeyRound} size={18} />
              Reset password
            </Button>
          )}
          <Button variant="primary" aria-expanded={open === 'months'} onClick={() => setOpen('months')}>
            <Icon of={Gift} size={18} />
            Give months
          </Button>
        </div>
      </div>
      <p className="note note--info mb-6 items-center">
        <Icon of={ShieldCheck} size={18} />
        <span>
          What {name} listens to, keeps or searches is not shown here, and no page, export or log of Admin can show it.
          Only {name} can see it, export it and delete it.
        </span>
      </p>
      <div className="main-and-aside">
        <div className="stack">
          <UserSubscription user={user} />
          <section className="pane pane--flush" aria-labelledby="sessions">
            <div className="pane__head">
              <h2 className="pane-title" id="sessions">
                Sessions
              </h2>
              {user.sessions.length > 0 && (
                <Button variant="ghost" size="sm" onClick={() => void endSessions()}>
                  Log out everywhere
                </Button>
              )}
            </div>
            {user.sessions.length === 0 ? (
              <p className="px-4 pt-1.5 pb-3.5 text-muted md:px-5.5">Not logged in anywhere.</p>
            ) : (
              <table className="data-table data-table--compact data-table--cards" {...tableRoles.table}>
                <caption className="sr-only">Sessions</caption>
                <thead {...tableRoles.group}>
                  <tr {...tableRoles.row}>
                    <th {...tableRoles.head}>Device</th>
                    <th {...tableRoles.head}>Since</th>
                    <th {...tableRoles.head}>Last seen</th>
                  </tr>
                </thead>
                <tbody {...tableRoles.group}>
                  {user.sessions.map(({ id, device, createdAt, lastUsedAt }) => (
                    <tr {...tableRoles.row} key={id}>
                      <td {...tableRoles.cell} className="main">
                        <span className="flex items-center gap-2.5">
                          <Icon of={/Android|iPhone|iPad/.test(device) ? Smartphone : Monitor} size={18} />
                          {device}
                        </span>
                      </td>
                      <td {...tableRoles.cell} className="tabular-nums text-muted" data-l="Since">
                        {formatDate(createdAt)}
                      </td>
                      <td {...tableRoles.cell} className="tabular-nums text-muted" data-l="Last seen">
                        <LocalTime at={lastUsedAt} now={now.getTime()} style="moment" />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </section>
          {entries.length > 0 && (
            <section className="pane" aria-labelledby="changes">
              <h2 className="pane-title" id="changes">
                Operator actions
              </h2>
              <LogEntries entries={entries} now={now} />
            </section>
          )}
        </div>
        <aside className="stack" aria-label={`About ${name}`}>
          <section className="pane" aria-labelledby="facts">
            <h2 className="pane-title mb-1.5" id="facts">
              Facts
            </h2>
            <dl className="facts">
              <dt>Email</dt>
              <dd className="wrap-anywhere">{user.email ?? 'None'}</dd>
              <dt>Id</dt>
              <dd className="break-all text-13">{user.id}</dd>
              <dt>Logs in with</dt>
              <dd>
                {user.hasPassword === null ? 'Unknown' : user.hasPassword ? 'A password' : 'Google or Facebook'}
                {user.hasSecondFactor && ', and a second factor'}
              </dd>
              <dt>Role</dt>
              <dd>{user.isAdmin ? 'Admin' : user.isCreator ? 'Creator' : 'Listener'}</dd>
              <dt>Comments</dt>
              <dd className="tabular-nums">{user.comments}</dd>
              {user.suspensionReason !== null && (
                <>
                  <dt>Suspended for</dt>
                  <dd>{user.suspensionReason}</dd>
                </>
              )}
            </dl>
          </section>
          {user.voices.length > 0 && (
            <section className="pane" aria-labelledby="pages">
              <h2 className="pane-title mb-1.5" id="pages">
                Creator pages
              </h2>
              <ul className="details">
                {user.voices.map(({ slug, name: voice, role }) => (
                  <li key={slug} className="details__row details__row--wide">
                    <span>
                      <Link className="link" to={href('/creators/:slug', { slug })}>
                        {voice}
                      </Link>
                      , {role}
                    </span>
                    <button
                      type="button"
                      className="link"
                      aria-label={`Remove ${voice}`}
                      onClick={() => void takeVoice(slug, voice, role)}
                    >
                      Remove
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <section className="pane" aria-labelledby="reports">
            <h2 className="pane-title mb-1.5" id="reports">
              Reports
            </h2>
            <dl className="facts">
              <dt>About them</dt>
              <dd>{reportsOf(user.reports.about, user.reports.aboutOpen)}</dd>
              <dt>By them</dt>
              <dd>{reportsOf(user.reports.made, user.reports.madeOpen)}</dd>
            </dl>
          </section>
          <UserActFolds user={user} name={name} isOneself={isOneself} open={open} onOpen={setOpen} />
        </aside>
      </div>
    </>
  );
}

function reportsOf(count: number, open: number): string {
  if (count === 0) return 'None';
  return `${countOf(count, 'report')}, ${open === 0 ? 'all settled' : `${open} open`}`;
}
