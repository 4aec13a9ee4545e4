import { formatDecimal, formatPercent } from '#formats/decimals.ts';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { LocalTime, useTimeZone } from '#web/workshop/local-time.tsx';
import Captions from 'lucide-react/icons/captions';
import CreditCard from 'lucide-react/icons/credit-card';
import Flag from 'lucide-react/icons/flag';
import Headphones from 'lucide-react/icons/headphones';
import AudioWaveform from 'lucide-react/icons/audio-waveform';
import Mail from 'lucide-react/icons/mail';
import Mic from 'lucide-react/icons/mic';
import Scale from 'lucide-react/icons/scale';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Trash2 from 'lucide-react/icons/trash-2';
import Webhook from 'lucide-react/icons/webhook';
import type { LucideIcon } from 'lucide-react';
import { href, Link } from 'react-router';
import type { MoneyFigures } from '#domain/admin/site/overview-money.ts';
import type { Overview } from '#domain/admin/site/overview.ts';
import { type OverviewPeriod, maxWaiting, overviewPeriods } from '#domain/admin/rules.ts';
import { formatMonthName, formatWeekday } from '#formats/moments.ts';
import { formatAgo, formatDate } from '#formats/times.ts';
import { formatMoneys } from '#formats/money-list.ts';
import { formatCapped, formatCount, formatMoney } from '#formats/numbers.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { KeptPlayingTable } from '#web/workshop/charts/kept-playing-table.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { DayStat, StockStat, NewUsers, RevenueTable, SubscribersChart } from '#web/admin/site/overview-figures.tsx';
import { jobName } from '#web/admin/site/job-names.ts';
import { OverviewHealth } from '#web/admin/site/overview-health.tsx';
import type { Route } from './+types/overview';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const period = overviewPeriods.find((one) => one === url.searchParams.get('period'));
  const [overview, unseen, checks] = await Promise.all([
    site.admin.site.findOverview(viewer, period),
    site.admin.site.findUnseenSettings(viewer),
    // Figures are shown even when a check fails.
    site.admin.site.findChecks(viewer).catch(() => undefined),
  ]);
  const contact = unseen.isOpen && site.facts.operator?.email === undefined;
  return {
    overview,
    asked: url.searchParams.get('currency'),
    checks,
    unseen: { ...unseen, contact, age: site.age.isDefaultUnseen() },
  };
}

/** Figures of the site, tasks that wait for an operator, and the health of the machinery. */
export default function AdminOverview({ loaderData: { overview, asked, checks, unseen } }: Route.ComponentProps) {
  const { asOf, period, subscribers, trials, failedPayments, stocks, churn, plays, hours, newUsers, money } = overview;
  const zone = useTimeZone();
  const shown = money.find(({ currency }) => currency === asked) ?? money[0];
  const others = money.filter((one) => one !== shown);
  const text = (amount: number) => formatMoney(amount, shown.currency);
  function alsoOf(amountOf: (figures: MoneyFigures) => number): string | undefined {
    const sums = others.map((one) => ({ amount: amountOf(one), currency: one.currency }));
    const some = sums.filter(({ amount }) => amount !== 0);
    return some.length === 0 ? undefined : t`Also ${{ amounts: formatMoneys(some) }}`;
  }
  const linkTo = (to: { period?: OverviewPeriod; currency?: string }) => {
    const query = { period, ...(shown !== money[0] && { currency: shown.currency }), ...to };
    return `?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '28')).toString()}`;
  };
  const percent = (share: number) => formatPercent(share, 1);
  return (
    <>
      <WorkshopHead
        title={t`Overview`}
        facts={
          <span className="tabular-nums">
            <span>
              {formatWeekday(asOf, zone)} <LocalTime at={asOf} style="full" />
            </span>
            <span className="dot">
              {period === 'month'
                ? t`month to date, compared with the same days of last month`
                : plural(
                    { days: Number(period) },
                    {
                      one: 'the last # day, compared with the day before',
                      other: 'the last # days, compared with the # days before',
                    },
                  )}
            </span>
          </span>
        }
      >
        <nav className="segments" aria-label={t`Period`}>
          {overviewPeriods.map((one) => (
            <Link key={one} to={linkTo({ period: one })} aria-current={one === period || undefined} preventScrollReset>
              {nameOf(one, asOf)}
            </Link>
          ))}
        </nav>
        {others.length > 0 && (
          <nav className="segments" aria-label={t`Currency`}>
            {money.map(({ currency }) => (
              <Link
                key={currency}
                to={linkTo({ currency })}
                aria-current={currency === shown.currency || undefined}
                preventScrollReset
              >
                {currency.toUpperCase()}
              </Link>
            ))}
          </nav>
        )}
      </WorkshopHead>
      <dl className="stats">
        <StockStat
          name={t`Subscribers`}
          value={formatCount(subscribers.now)}
          detail={[
            t`${{ joined: formatCount(subscribers.joined) }} new, ${{ left: formatCount(subscribers.left) }} left`,
            ...(overview.keeping.paused > 0 ? [t`${{ paused: formatCount(overview.keeping.paused) }} paused`] : []),
            ...(overview.keeping.stayed > 0
              ? [t`${{ stayed: formatCount(overview.keeping.stayed) }} stayed for the offer in a year`]
              : []),
          ].join(', ')}
          days={stocks.subscribers}
          text={formatCount}
        />
        <StockStat
          name={t`In trial`}
          value={formatCount(trials)}
          detail={t`Charged when the trial ends`}
          days={stocks.trials}
          text={formatCount}
        />
        <StockStat
          name={t`Monthly recurring revenue`}
          value={text(shown.monthlyRevenue)}
          detail={t`Before discounts; yearly plans count 1/12 per month`}
          also={alsoOf((one) => one.monthlyRevenue)}
          days={shown.monthlyRevenues}
          text={text}
        />
        <StockStat
          name={t`Churn`}
          value={subscribers.atStart === 0 ? '–' : percent((100 * subscribers.leftOfStart) / subscribers.atStart)}
          detail={t`${{ left: formatCount(subscribers.leftOfStart) }} of ${{ total: formatCount(subscribers.atStart) }} at the beginning`}
          days={churn}
          text={percent}
        />
        <StockStat
          name={t`Failed payments`}
          value={formatCount(failedPayments)}
          detail={t`${{ amount: unpaidText(money) }} not paid`}
          days={stocks.failedPayments}
          text={formatCount}
        />
        <DayStat name={t`Plays`} of={plays} text={(count) => formatCount(count)} />
        <DayStat name={t`Hours heard`} of={hours} text={hoursText} />
        <DayStat name={t`New users`} of={newUsers} text={(count) => formatCount(count)} />
      </dl>
      <div className="main-and-aside mt-7">
        <div className="min-w-0">
          <Waiting todos={listToDos(overview, unseen)} />
          <SubscribersChart weeks={overview.weeks} />
          {money.filter(hasRevenue).map((one) => (
            <RevenueTable
              key={one.currency}
              of={one}
              month={overview.month}
              asOf={asOf}
              isOneOfMany={money.length > 1}
            />
          ))}
          <p className="mt-3">
            <Link className="link" to={`${href('/admin/revenue.csv')}?period=${period}`} reloadDocument download>
              <Trans>Download CSV</Trans>
            </Link>
          </p>
        </div>
        <div className="min-w-0">
          <OverviewHealth overview={overview} checks={checks} />
          <dl className="stats mt-5 grid-cols-1">
            <DayStat name={t`Income`} of={shown.income} text={text} also={alsoOf(({ income }) => sumOf(income.days))} />
          </dl>
          <NewUsers sources={overview.newUserSources} />
          <KeptPlayingTable kept={overview.keptPlaying} className="mt-5" />
        </div>
      </div>
    </>
  );
}

const sumOf = (days: number[]) => days.reduce((sum, amount) => sum + amount, 0);

/** The site's own currency always has a table. */
const hasRevenue = ({ revenue: { monthly, yearly, giftCards, refunds } }: MoneyFigures, index: number) =>
  index === 0 || [monthly, yearly, giftCards, refunds].some(({ count }) => count > 0);

/** Due in each currency. */
function unpaidText(money: Overview['money']): string {
  const due = money.filter(({ unpaid }) => unpaid > 0);
  const listed = due.length > 0 ? due : money.slice(0, 1);
  return formatMoneys(listed.map(({ unpaid, currency }) => ({ amount: unpaid, currency })));
}

function nameOf(period: OverviewPeriod, asOf: Date): string {
  return period === 'month'
    ? formatMonthName(asOf)
    : plural({ days: Number(period) }, { one: '# day', other: '# days' });
}

function hoursText(hours: number): string {
  return hours < 10 ? formatDecimal(hours) : formatCount(Math.round(hours));
}

/** Failed events of the last week are retried automatically; older ones only by hand (`membership/sync/events.ts`). */
function retriesText(oldest: Date | null, asOf: Date): string {
  const isOld = oldest !== null && asOf.getTime() - oldest.getTime() > 7 * 24 * 60 * 60 * 1000;
  return isOld ? t`After a week they are no longer retried automatically.` : t`They are retried automatically.`;
}

type ToDo = { icon: LucideIcon; isBad: boolean; title: string; why: string; to?: string; verb?: string };

function Waiting({ todos }: { todos: ToDo[] }) {
  return (
    <Pane title={t`To do`} end={todos.length > 0 && <span className="text-13 text-muted">{todos.length}</span>}>
      {todos.length === 0 ? (
        <p className="text-muted">
          <Trans>All done.</Trans>
        </p>
      ) : (
        <ul className="todo">
          {todos.map(({ icon, isBad, title, why, to, verb }, index) => (
            <li key={title}>
              <span
                className={`todo__icon ${isBad ? 'bg-danger-soft text-danger' : 'bg-accent-soft text-accent-text'}`}
              >
                <Icon of={icon} size={18} />
              </span>
              <div>
                <b className="tabular-nums">{title}</b>
                <small>{why}</small>
              </div>
              {to !== undefined && (
                <Button size="sm" variant={index === 0 && isBad ? 'primary' : undefined} render={<Link to={to} />}>
                  {verb}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Pane>
  );
}

/** Defaults that no operator has looked at. */
type Unseen = Record<'age' | 'review' | 'notices' | 'contact', boolean>;

function listToDos({ asOf, money, failedPayments, waits, health }: Overview, unseen: Unseen): ToDo[] {
  const since = (time: Date | null) => (time === null ? '' : formatAgo(time.toISOString(), asOf.getTime()));
  const { reports, mails, paymentEvents, voicesWithoutOwner, deletions, audiosWithoutText } = waits;
  const failedJobs = health.jobs?.failed ?? 0;
  const capped = (count: number) => formatCapped({ count: Math.min(count, maxWaiting), isMore: count > maxWaiting });
  const [reported, events] = [capped(reports.count), capped(paymentEvents.count)];
  const [unsent, ownerless] = [capped(mails.count), capped(voicesWithoutOwner.count)];
  const textless = capped(audiosWithoutText.count);
  const all: (ToDo | false)[] = [
    reports.count > 0 && {
      icon: Flag,
      isBad: true,
      title: plural({ count: reports.count }, { one: '# reported comment', other: `${reported} reported comments` }),
      why: t`The oldest report was made ${{ when: since(reports.oldest) }}.`,
      to: href('/admin/desk/notices'),
      verb: t`Decide`,
    },
    failedPayments > 0 && {
      icon: CreditCard,
      isBad: true,
      title: t`${plural({ count: failedPayments }, { one: '# failed payment', other: '# failed payments' })}, ${{ amount: unpaidText(money) }}`,
      why: t`The payment provider retries them; access continues for some days.`,
      to: `${href('/admin/subscriptions')}?state=past-due`,
      verb: t`See all`,
    },
    paymentEvents.count > 0 && {
      icon: Webhook,
      isBad: true,
      title: plural(
        { count: paymentEvents.count },
        {
          one: '# message of the payment provider failed',
          other: `${events} messages of the payment provider failed`,
        },
      ),
      why: t`The oldest arrived ${{ when: since(paymentEvents.oldest) }}. ${{ retries: retriesText(paymentEvents.oldest, asOf) }}`,
      to: `${href('/admin/webhook-events')}?state=failed`,
      verb: t`See all`,
    },
    mails.count > 0 && {
      icon: Mail,
      isBad: false,
      title: plural({ count: mails.count }, { one: '# mail not sent', other: `${unsent} mails not sent` }),
      why: t`The oldest was written ${{ when: since(mails.oldest) }}.`,
      to: href('/admin/system'),
      verb: t`See all`,
    },
    failedJobs > 0 && {
      icon: AudioWaveform,
      isBad: false,
      title: plural(failedJobs, { one: '# failed job', other: '# failed jobs' }),
      why: health.jobs?.failedNames.map(jobName).join(', ') ?? '',
      to: href('/admin/system'),
      verb: t`See all`,
    },
    deletions.count > 0 && {
      icon: Trash2,
      isBad: false,
      title: plural({ count: deletions.count }, { one: '# account being deleted', other: '# accounts being deleted' }),
      why: deletions.next === null ? '' : t`The next one on ${{ day: formatDate(deletions.next) }}.`,
      to: `${href('/admin/users')}?filter=deleting`,
      verb: t`See all`,
    },
    audiosWithoutText.count > 0 && {
      icon: Captions,
      isBad: false,
      title: plural(
        { count: audiosWithoutText.count },
        { one: '# audio without a transcript', other: `${textless} audios without a transcript` },
      ),
      why: t`Of ${plural({ count: health.recordings.count }, { one: '# audio', other: '# audios' })}. People who do not hear well find those that have one.`,
      to: `${href('/admin/audios')}?state=published&problem=no-text`,
      verb: t`See all`,
    },
    voicesWithoutOwner.count > 0 && {
      icon: Mic,
      isBad: false,
      title: plural(
        { count: voicesWithoutOwner.count },
        { one: '# creator without an owner', other: `${ownerless} creators without an owner` },
      ),
      why:
        voicesWithoutOwner.count === 1
          ? (voicesWithoutOwner.first ?? '')
          : t`${{ name: voicesWithoutOwner.first ?? '' }} and others`,
      to: href('/admin/voices'),
      verb: t`See creators`,
    },
    unseen.age && {
      icon: ShieldCheck,
      isBad: false,
      title: t`Look at the rules of age`,
      why: t`Visitors are asked to say that they are at least 18, because nobody has set a rule.`,
      to: href('/admin/settings/age'),
      verb: t`Open`,
    },
    unseen.review && {
      icon: Headphones,
      isBad: false,
      title: t`Choose which audios are reviewed`,
      why: t`The first five of each creator are, because nobody has chosen.`,
      to: href('/admin/desk/review'),
      verb: t`Open`,
    },
    unseen.contact && {
      icon: Mail,
      isBad: false,
      title: t`Set an email for reports`,
      why: t`OPERATOR_EMAIL is empty: nobody is told of overdue notices, and people find nobody to write to.`,
      to: href('/admin/system'),
      verb: t`Open`,
    },
    unseen.notices && {
      icon: Scale,
      isBad: false,
      title: t`Look at the calendar of notices`,
      why: t`Working days are counted in UTC and without holidays, because nobody has set them.`,
      to: `${href('/admin/settings')}#notices`,
      verb: t`Open`,
    },
  ];
  return all.filter((one) => one !== false);
}
