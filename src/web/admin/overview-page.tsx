import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import CreditCard from 'lucide-react/icons/credit-card';
import Flag from 'lucide-react/icons/flag';
import AudioWaveform from 'lucide-react/icons/audio-waveform';
import Mail from 'lucide-react/icons/mail';
import Mic from 'lucide-react/icons/mic';
import Trash2 from 'lucide-react/icons/trash-2';
import Webhook from 'lucide-react/icons/webhook';
import type { LucideIcon } from 'lucide-react';
import { href, Link } from 'react-router';
import type { Overview } from '#domain/admin/overview.ts';
import { countOf, formatCount, formatMoney } from '#domain/kernel/rules.ts';
import { formatAgo } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { formatBytes } from './bytes.ts';
import { formatClock, formatDayOf } from './dates.ts';
import { DayStat } from './day-stat.tsx';

/** How the site is doing, what waits for somebody, and whether everything runs. */
export function OverviewPage({ overview }: { overview: Overview }) {
  const { asOf, currency, subscribers, trials, monthlyRevenue, income, hours, newUsers, plays } = overview;
  const atStart = subscribers.now - subscribers.joined + subscribers.left;
  return (
    <>
      <div className="ph">
        <div className="ph__t">
          <h1>Overview</h1>
          <p className="ph__s tabular-nums">
            {formatDayOf(asOf)}, {formatClock(asOf)} UTC · the last 28 days, beside the 28 before
          </p>
        </div>
      </div>
      <dl className="stats">
        <div className="stat stat--plain">
          <dt>Subscribers</dt>
          <dd className="stat__v">{formatCount(subscribers.now)}</dd>
          <dd className="stat__d">
            {formatCount(subscribers.joined)} new, {formatCount(subscribers.left)} left
          </dd>
        </div>
        <div className="stat stat--plain">
          <dt>In trial</dt>
          <dd className="stat__v">{formatCount(trials)}</dd>
          <dd className="stat__d">Charged when the trial ends</dd>
        </div>
        <div className="stat stat--plain">
          <dt>Monthly recurring revenue</dt>
          <dd className="stat__v">{formatMoney(monthlyRevenue, currency)}</dd>
          <dd className="stat__d">Before discounts; a year counts a twelfth</dd>
        </div>
        <div className="stat stat--plain">
          <dt>Churn</dt>
          <dd className="stat__v">{atStart === 0 ? '–' : `${((100 * subscribers.left) / atStart).toFixed(1)}%`}</dd>
          <dd className="stat__d">
            {formatCount(subscribers.left)} of {formatCount(atStart)} 28 days ago
          </dd>
        </div>
      </dl>
      <dl className="stats mt-6">
        <DayStat name="Income" of={income} text={(cents) => formatMoney(cents, currency)} />
        <DayStat name="Hours heard" of={hours} text={hoursText} />
        <DayStat name="New users" of={newUsers} text={(count) => formatCount(count)} />
        <div className="stat stat--plain">
          <dt>Plays</dt>
          <dd className="stat__v">{formatCount(plays)}</dd>
          <dd className="stat__d">Of all time</dd>
        </div>
      </dl>
      <div className="c21 mt-7">
        <Waiting overview={overview} />
        <Health overview={overview} />
      </div>
    </>
  );
}

function hoursText(hours: number): string {
  return hours < 10 ? hours.toFixed(1) : formatCount(Math.round(hours));
}

type ToDo = { icon: LucideIcon; isBad: boolean; title: string; why: string; to?: string; verb?: string };

function Waiting({ overview }: { overview: Overview }) {
  const todos = listToDos(overview);
  return (
    <section className="pn" aria-labelledby="waits">
      <div className="pn__h">
        <h2 className="h22" id="waits">
          What waits
        </h2>
        {todos.length > 0 && <span className="t13 text-muted">{todos.length}</span>}
      </div>
      {todos.length === 0 ? (
        <p className="text-muted">Nothing waits.</p>
      ) : (
        <ul className="todo">
          {todos.map(({ icon, isBad, title, why, to, verb }) => (
            <li key={title}>
              <span className={`todo__i ${isBad ? 'todo__i--bad' : 'todo__i--w'}`}>
                <Icon of={icon} size={18} />
              </span>
              <div>
                <b className="tabular-nums">{title}</b>
                <small>{why}</small>
              </div>
              {to !== undefined && (
                <Button size="sm" render={<Link to={to} />}>
                  {verb}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Only what has a page of Admin has a link; the rest says which command shows it. */
function listToDos({ asOf, currency, failedPayments, waits, health }: Overview): ToDo[] {
  const since = (time: Date | null) => (time === null ? '' : formatAgo(time.toISOString(), asOf.getTime()));
  const { reports, mails, paymentEvents, voicesWithoutOwner, deletions } = waits;
  const failedJobs = health.jobs?.failed ?? 0;
  const all: (ToDo | false)[] = [
    reports.count > 0 && {
      icon: Flag,
      isBad: true,
      title: countOf(reports.count, 'reported comment'),
      why: `The oldest report was made ${since(reports.oldest)}.`,
      to: href('/admin/reports'),
      verb: 'Decide',
    },
    failedPayments.count > 0 && {
      icon: CreditCard,
      isBad: true,
      title: `${countOf(failedPayments.count, 'failed payment')}, ${formatMoney(failedPayments.amount, currency)}`,
      why: 'They are tried again by the payment provider; access goes on for some days.',
    },
    paymentEvents.count > 0 && {
      icon: Webhook,
      isBad: true,
      title: `${countOf(paymentEvents.count, 'message')} of the payment provider failed`,
      why: `The oldest arrived ${since(paymentEvents.oldest)}. They are tried again by themselves.`,
    },
    mails.count > 0 && {
      icon: Mail,
      isBad: false,
      title: `${countOf(mails.count, 'mail')} not sent`,
      why: `The oldest was written ${since(mails.oldest)}.`,
    },
    failedJobs > 0 && {
      icon: AudioWaveform,
      isBad: false,
      title: countOf(failedJobs, 'failed job'),
      why: health.jobs?.failedNames.join(', ') ?? '',
    },
    deletions.count > 0 && {
      icon: Trash2,
      isBad: false,
      title: `${countOf(deletions.count, 'account')} being deleted`,
      why: deletions.next === null ? '' : `The next one on ${formatDayOf(deletions.next)}.`,
      to: `${href('/admin/users')}?filter=deleting`,
      verb: 'See all',
    },
    voicesWithoutOwner.count > 0 && {
      icon: Mic,
      isBad: false,
      title: `${countOf(voicesWithoutOwner.count, 'creator')} without an owner`,
      why: voicesWithoutOwner.count === 1 ? (voicesWithoutOwner.first ?? '') : `${voicesWithoutOwner.first} and others`,
      to: href('/admin/voices'),
      verb: 'See creators',
    },
  ];
  return all.filter((one) => one !== false);
}

type Check = { name: string; fact: string; isFine: boolean };

function Health({ overview }: { overview: Overview }) {
  const checks = listChecks(overview);
  const bad = checks.filter(({ isFine }) => !isFine).length;
  return (
    <section className="pn" aria-labelledby="health">
      <div className="pn__h">
        <h2 className="h22" id="health">
          System health
        </h2>
        {bad > 0 && <span className="st st--ac">{bad} to look at</span>}
      </div>
      <ul className="chkl">
        {checks.map(({ name, fact, isFine }) => (
          <li key={name} className={isFine ? 'ok' : 'x'}>
            <Icon of={isFine ? CircleCheck : CircleAlert} size={18} />
            <b>{name}</b>
            <span>
              <span className="sr-only">{isFine ? 'In order: ' : 'Needs a look: '}</span>
              {fact}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Seconds that the oldest due job may wait. */
const mostLag = 15 * 60;

function listChecks({ asOf, waits, health }: Overview): Check[] {
  const { database, recordings, lastPaymentEvent, jobs, isSearchReady, version } = health;
  const all: (Check | false)[] = [
    {
      name: 'Database',
      fact: `${formatBytes(database.bytes)}, answers in ${database.milliseconds} ms`,
      isFine: database.milliseconds < 500,
    },
    {
      name: 'Recordings',
      fact: `${formatBytes(recordings.bytes)}, ${countOf(recordings.count, 'audio')}`,
      isFine: true,
    },
    isSearchReady !== undefined && {
      name: 'Search index',
      fact: isSearchReady ? 'Built' : 'Is being built',
      isFine: isSearchReady,
    },
    jobs !== undefined && {
      name: 'Jobs',
      fact: `${jobs.running} running, ${jobs.waiting} waiting, ${jobs.failed} failed${jobs.lagSeconds > 60 ? `, ${Math.round(jobs.lagSeconds / 60)} min late` : ''}`,
      isFine: jobs.failed === 0 && jobs.lagSeconds < mostLag,
    },
    {
      name: 'Mail',
      fact: waits.mails.count === 0 ? 'All sent' : `${waits.mails.count} not sent`,
      isFine: waits.mails.count === 0,
    },
    {
      name: 'Payments',
      fact:
        lastPaymentEvent === null
          ? 'No message of the provider yet'
          : `Last message ${formatAgo(lastPaymentEvent.toISOString(), asOf.getTime())}`,
      isFine: waits.paymentEvents.count === 0,
    },
    version !== undefined && { name: 'Version', fact: version, isFine: true },
  ];
  return all.filter((one) => one !== false);
}
