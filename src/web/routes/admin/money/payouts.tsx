import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LocalTime } from '#web/workshop/local-time.tsx';
import Download from 'lucide-react/icons/download';
import Lock from 'lucide-react/icons/lock';
import LockOpen from 'lucide-react/icons/lock-open';
import { type ReactNode, useState } from 'react';
import { href, Link } from 'react-router';
import { addToMonth, isMonth, lastPool } from '#domain/admin/rules.ts';
import type { Payouts } from '#domain/admin/money/payouts.ts';
import { formatDate, formatMonth } from '#formats/times.ts';
import { formatMonthName } from '#formats/moments.ts';
import { formatMoneys } from '#formats/money-list.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useConfirm } from '#web/admin/consequence-dialog.tsx';
import { amountOf, toTyped } from '#web/admin/money/typed-amount.ts';
import { BalancesPane, CorrectionsPane } from '#web/admin/money/balances-pane.tsx';
import { PayoutTable } from '#web/admin/money/payout-table.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { deltaOf, hoursText } from '#web/workshop/charts/figure-text.ts';
import { StatTile, StatTiles } from '#web/workshop/charts/stat-tiles.tsx';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';
import { useAskBeforeLeaving } from '#web/workshop/forms/use-ask-before-leaving.ts';
import { Pane } from '#web/workshop/pane.tsx';
import type { Route } from './+types/payouts';

/** The requested month; otherwise the newest one to work on, the last complete month. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const months = await site.admin.money.listPayoutMonths(viewer);
  const asked = url.searchParams.get('month');
  const month = asked !== null && isMonth(asked) ? asked : ((months[1] ?? months[0])?.month ?? '');
  const payouts = orNotFound(await site.admin.money.findPayouts(viewer, month));
  const [balances, corrections] = await Promise.all([
    site.earnings.listBalances(viewer, payouts.month),
    site.earnings.listCorrections(viewer, payouts.month),
  ]);
  return { months, payouts, balances, corrections, now: new Date() };
}

const maxShown = 6;

export default function AdminPayouts({
  loaderData: { months, payouts, balances, corrections, now },
}: Route.ComponentProps) {
  const { month, locked, shares, milliseconds, before, pool, currency } = payouts;
  const further = enteredPools(payouts).filter((one) => one.currency !== currency);
  const audios = shares.reduce((sum, share) => sum + share.audios, 0);
  const monthName = formatMonth(month);
  const checksum = shortOf(payouts.checksum);
  const by = locked?.by ? (locked.by.username ?? locked.by.id) : t`the command line, or a deleted account`;
  const isLockable = locked === null && now >= payouts.lockableFrom;
  const chips = months.map((one) => (
    <MonthChip key={one.month} {...one} current={month} thisMonth={now.toISOString().slice(0, 7)} />
  ));
  return (
    <>
      <WorkshopHead title={t`Payouts`} facts={t`Seconds heard per creator. A locked month never changes.`}>
        <Button
          variant={isLockable ? undefined : 'primary'}
          render={<Link to={`${href('/admin/payouts.csv')}?month=${month}`} reloadDocument download />}
        >
          <Icon of={Download} size={18} />
          <Trans>Download CSV</Trans>
        </Button>
      </WorkshopHead>
      <nav className="chips chips--scroll mb-5" aria-label={t`Month`}>
        {chips.slice(0, maxShown)}
        {chips.length > maxShown && (
          <details className="relative">
            <summary className="chip">
              <Trans>Older</Trans>
            </summary>
            <div className="mt-2 flex flex-wrap gap-2">{chips.slice(maxShown)}</div>
          </details>
        )}
      </nav>
      <StatTiles label={monthName} isRow>
        <StatTile
          label={t`Seconds heard`}
          value={formatCount(Math.round(milliseconds / 1000))}
          delta={deltaOf(milliseconds, before)}
          detail={payouts.before === 0 ? undefined : t`from ${{ month: formatMonthName(addToMonth(month, -1)) }}`}
        />
        <StatTile
          label={t`Hours`}
          value={hoursText(milliseconds)}
          detail={payouts.countsTrials ? t`by subscribers and in trials` : t`by subscribers, without trials`}
        />
        <StatTile
          label={t`Creators`}
          value={formatCount(shares.length)}
          detail={plural(audios, { one: '# audio', other: '# audios' })}
        />
        <StatTile
          label={t`Pool`}
          value={pool === null ? t({ message: 'None yet', context: 'pool' }) : formatMoney(pool, currency)}
          detail={
            pool === null
              ? t`Enter it below`
              : further.length > 0
                ? t`Also ${{ amounts: formatMoneys(further) }}`
                : t`shared to the last cent`
          }
        />
      </StatTiles>
      {locked === null ? (
        <OpenMonth key={`${month} ${payouts.revision}`} payouts={payouts} isLockable={isLockable} />
      ) : (
        <p className="note note--info mt-5 items-center">
          <Icon of={Lock} size={18} />
          <span className="tabular-nums">
            <Trans>
              {monthName} was locked on <LocalTime at={locked.at} style="full" /> by {by}. Checksum{' '}
              <span className="font-mono text-13 leading-normal font-medium">{checksum}</span>. Listening that is
              reported late counts in the month in which it arrives.
            </Trans>
          </span>
        </p>
      )}
      <PayoutTable payouts={payouts} />
      <p className="text-13 mt-3 text-muted">
        <Trans>
          Listening is added up by day and creator when it arrives; days are UTC. The ledger holds no listener.
        </Trans>{' '}
        {payouts.notCounted !== null && notCountedText(payouts.notCounted)}
      </p>
      {balances === undefined ? (
        <CorrectionsPane
          key={month}
          month={month}
          currency={currency}
          creators={shares.map(({ voice }) => voice)}
          corrections={corrections}
        />
      ) : (
        <BalancesPane month={month} balances={balances} currency={currency} />
      )}
    </>
  );
}

function notCountedText({ free, trial }: NonNullable<Payouts['notCounted']>): string {
  const freeHours = hoursText(free);
  if (trial === 0) return t`Not paid for: hours heard without a subscription (${freeHours}).`;
  const trialHours = hoursText(trial);
  return t`Not paid for: hours heard without a subscription (${freeHours}) and in trials (${trialHours}).`;
}

function shortOf(checksum: string): string {
  return `${checksum.slice(0, 4)} ${checksum.slice(4, 8)}`;
}

type MonthChipProps = { month: string; isLocked: boolean; current: string; thisMonth: string };

function MonthChip({ month, isLocked, current, thisMonth }: MonthChipProps) {
  const isThisYear = month.slice(0, 4) === thisMonth.slice(0, 4);
  return (
    <Chip
      render={<Link to={`?month=${month}`} preventScrollReset aria-current={month === current ? 'true' : undefined} />}
    >
      <Icon of={isLocked ? Lock : LockOpen} size={16} />
      {isThisYear ? formatMonthName(month) : formatMonth(month)}
      {!isLocked && (
        <b>
          <Trans>open</Trans>
        </b>
      )}
      {isLocked && (
        <span className="sr-only">
          <Trans>, locked</Trans>
        </span>
      )}
    </Chip>
  );
}

/** The entered pools of a month, its own first. */
const enteredPools = ({ currency, pool, further }: Payouts) =>
  [{ currency, pool }, ...further].flatMap((one) =>
    one.pool === null ? [] : [{ amount: one.pool, currency: one.currency }],
  );

/** The pools, what counts, and the lock. */
function OpenMonth({ payouts, isLockable }: { payouts: Payouts; isLockable: boolean }) {
  const { month, checksum, countsTrials, settingRevision, shares, pool, currency, further } = payouts;
  const { call, isBusy } = useCall();
  const { confirm, dialog } = useConfirm();
  const [unsaved, setUnsaved] = useState<Record<string, boolean>>({});
  const monthName = formatMonth(month);
  const isUnsaved = Object.values(unsaved).some(Boolean);
  const missing = [{ currency, pool, hasIncome: true }, ...further].find((one) => one.hasIncome && one.pool === null);
  useAskBeforeLeaving(isUnsaved);

  const askToLock = () =>
    confirm({
      title: t`Lock ${monthName}`,
      consequences: t`This cannot be undone: ${{ amount: formatMoneys(enteredPools(payouts)) }} for ${plural({ creators: shares.length }, { one: '# creator', other: '# creators' })} can never change again, even if the ledger does.`,
      typedName: month,
      verb: t`Lock month`,
      onConfirm: () =>
        call('act', () => api.admin.payouts[':month'].lock.$post({ param: { month }, json: { checksum } }), {
          done: t`${monthName} is locked`,
        }),
    });
  const lock = (
    <Button
      variant="primary"
      disabled={!isLockable || missing !== undefined || isUnsaved || isBusy}
      onClick={askToLock}
    >
      <Icon of={Lock} size={18} />
      <Trans>Lock month</Trans>
    </Button>
  );

  return (
    <Pane title={t`${monthName} is open`} className="mt-5">
      <div className="grid gap-3">
        {[{ currency, pool }, ...further].map((one, index) => (
          <PoolForm
            key={one.currency}
            month={month}
            revision={payouts.revision}
            {...one}
            onTyped={(isOther) => setUnsaved((before) => ({ ...before, [one.currency]: isOther }))}
          >
            {index === further.length && lock}
          </PoolForm>
        ))}
      </div>
      <div className="mt-3 max-w-110">
        <SwitchRow
          label={t`Listening in trials counts`}
          text={t`In all months that are not locked`}
          isOn={countsTrials}
          disabled={isBusy}
          onChange={(isOn) =>
            void call(
              'act',
              () => api.admin.payouts.trials.$put({ json: { countsTrials: isOn, revision: settingRevision } }),
              { done: isOn ? t`Listening in trials counts` : t`Listening in trials does not count` },
            )
          }
        />
      </div>
      {!isLockable && (
        <p className="text-13 mt-2 text-muted">{t`It can be locked from ${{ day: formatDate(payouts.lockableFrom) }} on.`}</p>
      )}
      {isLockable && missing !== undefined && missing.currency !== currency && (
        <p className="text-13 mt-2 text-muted">
          {t`Payments came in ${{ currency: missing.currency.toUpperCase() }}, too. Enter its pool before you lock the month; 0 shares nothing.`}
        </p>
      )}
      {isLockable && missing === undefined && isUnsaved && (
        <p className="text-13 mt-2 text-muted">
          <Trans>Save the pool before you lock the month.</Trans>
        </p>
      )}
      {dialog}
    </Pane>
  );
}

type PoolFormProps = {
  month: string;
  currency: string;
  /** As stored; null: none yet. */
  pool: number | null;
  revision: number;
  onTyped: (isUnsaved: boolean) => void;
  children: ReactNode;
};

/** A pool in one currency. */
function PoolForm({ month, currency, pool, revision, onTyped, children }: PoolFormProps) {
  const { call, isBusy } = useCall();
  const [typed, setTyped] = useState(pool === null ? '' : toTyped(pool, currency));
  const cents = amountOf(typed, currency);
  const isRight = cents !== undefined && cents <= lastPool;
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRight) return;
        const json = { pool: cents, revision, currency };
        void call('act', () => api.admin.payouts[':month'].pool.$put({ param: { month }, json }), {
          done: t`The pool is ${{ amount: formatMoney(cents, currency) }}`,
        });
      }}
    >
      <Field
        label={t`Pool in ${{ currency: currency.toUpperCase() }}`}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={
          typed === '' || isRight ? undefined : t`Enter an amount such as ${{ example: toTyped(120_000, currency) }}`
        }
        onChange={({ target }) => {
          setTyped(target.value);
          onTyped(target.value !== '' && amountOf(target.value, currency) !== pool);
        }}
      />
      <Button type="submit" disabled={!isRight || cents === pool} busy={isBusy ? t`Working…` : undefined}>
        {t`Save pool`}
      </Button>
      {children}
    </form>
  );
}
