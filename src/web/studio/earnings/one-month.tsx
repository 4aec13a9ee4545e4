import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import FileText from 'lucide-react/icons/file-text';
import { href, Link } from 'react-router';
import type { EarningsOfMonth, ShownLine } from '#domain/earnings/earnings.ts';
import { formatPercent } from '#formats/decimals.ts';
import { formatDate, formatMonth } from '#formats/times.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Note } from '#web/ui/note.tsx';
import { deltaOf, hoursText, underTenListeners } from '#web/workshop/charts/figure-text.ts';
import { StatTile, StatTiles } from '#web/workshop/charts/stat-tiles.tsx';
import { type Column, RowName, Table } from '#web/workshop/lists/table.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { EarningMark } from './earning-mark.tsx';
import { amountsText } from './earning-text.ts';
import { EarningsDownload } from './earnings-download.tsx';
import { TipsOfMonth } from './tips-of-month.tsx';

/** One month of a creator, by audio. */
export function OneMonth({ voice, earnings }: { voice: string; earnings: EarningsOfMonth }) {
  const { month, state, own, others, sources, root, tips } = earnings;
  const corrections = earnings.corrections.filter((one) => one.tips === null);
  return (
    <>
      <WorkshopHead
        title={formatMonth(month)}
        back={{ to: href('/studio/:voice/earnings', { voice }), label: t`Earnings` }}
        facts={<MonthFacts earnings={earnings} />}
      >
        <EarningsDownload voice={voice} month={month} format="csv" icon={Download}>
          <Trans>CSV</Trans>
        </EarningsDownload>
        {state !== 'open' && (
          <EarningsDownload voice={voice} month={month} format="pdf" icon={FileText}>
            <Trans>Statement (PDF)</Trans>
          </EarningsDownload>
        )}
      </WorkshopHead>
      {state === 'locked' && !earnings.hasPayee && (
        <Note tone="info" className="mb-5">
          <Trans>
            The payee is missing. Until an owner enters who is paid, the operator cannot pay.{' '}
            <Link className="link" to={href('/studio/:voice/earnings', { voice })}>
              Enter who is paid
            </Link>
          </Trans>
        </Note>
      )}
      <StatTiles isRow>
        <StatTile
          label={t`Hours heard`}
          value={earnings.milliseconds === null ? underTenListeners() : hoursText(earnings.milliseconds)}
          delta={deltaOf(earnings.milliseconds, earnings.before)}
          detail={
            sources === null
              ? undefined
              : t`${{ hours: hoursText(sources.subscribers) }} by subscribers, ${{ trials: hoursText(sources.trials) }} in trials`
          }
        />
        <StatTile
          label={t`Share of the pool`}
          value={formatPercent(100 * earnings.share, 2)}
          detail={
            earnings.poolsOf === null
              ? t`of ${{ pool: amountsText(earnings.pools) }}`
              : t`Estimated with the pool of ${{ month: formatMonth(earnings.poolsOf) }}`
          }
        />
        <StatTile label={t`From your audios`} value={amountsText(earnings.ownAmounts)} />
        <StatTile
          label={t`Yours, after splits`}
          value={amountsText(earnings.amounts)}
          detail={
            others.length === 0 ? undefined : t`${{ amount: amountsText(earnings.othersYours) }} from audios of others`
          }
        />
      </StatTiles>
      <section className="mt-7" aria-labelledby="own-audios">
        <div className="workshop-section__head">
          <h2 id="own-audios">
            <Trans>Your audios</Trans>
          </h2>
          {earnings.hasAudios && <p>{plural({ count: own.length }, { one: '# was heard', other: '# were heard' })}</p>}
        </div>
        {!earnings.hasAudios ? (
          <p className="pane text-14">
            <Trans>This month was locked by an earlier version: its audios are not listed, and it has no proof.</Trans>
          </p>
        ) : own.length === 0 ? (
          <EmptyState
            title={t`Nothing was heard`}
            text={t`Audios that subscribers hear in this month are listed here.`}
          />
        ) : (
          <div className="pane pane--flush">
            <Lines lines={own} caption={t`Your audios`} voice={voice} foot={earnings} />
          </div>
        )}
      </section>
      {others.length > 0 && (
        <section className="mt-7" aria-labelledby="other-audios">
          <div className="workshop-section__head">
            <h2 id="other-audios">
              <Trans>From audios of others</Trans>
            </h2>
          </div>
          <div className="pane pane--flush">
            <Lines lines={others} caption={t`From audios of others`} />
          </div>
        </section>
      )}
      {tips.length > 0 && <TipsOfMonth earnings={earnings} />}
      {corrections.length > 0 && (
        <section className="mt-7" aria-labelledby="corrections">
          <div className="workshop-section__head">
            <h2 id="corrections">
              <Trans>Corrections</Trans>
            </h2>
          </div>
          <ul className="pane grid gap-2 text-14">
            {corrections.map(({ currency, amount, reason }, index) => (
              <li key={index} className="flex flex-wrap justify-between gap-x-4">
                <span className="wrap-anywhere">{reason}</span>
                <b className="tabular-nums">{amountsText({ [currency]: amount })}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
      {root !== null && (
        <p className="text-13 mt-6 text-muted wrap-anywhere">
          <Trans>
            Root of this month: <span className="font-mono">{root}</span>. It is the same for all creators and public.
            The CSV proves that your seconds are part of it.
          </Trans>
        </p>
      )}
    </>
  );
}

function MonthFacts({ earnings: { state, lockedAt, payment, number, dueOn } }: { earnings: EarningsOfMonth }) {
  const reference = payment?.reference;
  return (
    <>
      <EarningMark state={state} />
      {state === 'open' && <span className="ms-2.5">{t`An estimate, not a promise`}</span>}
      {lockedAt !== null && (
        <span className="ms-2.5">
          <Trans>
            Since <LocalTime at={lockedAt} style="date" />
          </Trans>
        </span>
      )}
      {number !== null && <span className="dot tabular-nums">{number}</span>}
      {payment === null && dueOn !== null && <span className="dot">{t`Due on ${{ day: formatDate(dueOn) }}`}</span>}
      {payment !== null && (
        <span className="dot">
          <Trans>
            Paid on <LocalTime at={payment.paidAt} style="date" />, {reference}
          </Trans>
        </span>
      )}
    </>
  );
}

type Shown = ShownLine & { creator?: string };
type LinesProps = { lines: Shown[]; caption: string; voice?: string; foot?: EarningsOfMonth };

function Lines({ lines, caption, voice, foot }: LinesProps) {
  const all = foot?.milliseconds ?? null;
  const part = ({ milliseconds }: Shown) =>
    milliseconds === null || all === null || all === 0 ? undefined : (100 * milliseconds) / all;
  const columns: Column<Shown>[] = [
    {
      head: t`Audio`,
      isBare: true,
      isWide: true,
      cell: (line) => (
        <RowName
          picture={<Cover imageUrl={line.imageUrl} size={40} />}
          name={<span dir="auto">{line.title ?? t`A deleted audio`}</span>}
          to={voice === undefined ? null : href('/studio/:voice/audios/:id', { voice, id: line.audioId })}
          note={sharesText(line)}
        />
      ),
      foot: foot && t`Total`,
    },
    {
      head: t`Hours`,
      kind: 'number',
      cell: ({ milliseconds }) => (milliseconds === null ? underTenListeners() : hoursText(milliseconds)),
      foot: foot && (foot.milliseconds === null ? underTenListeners() : hoursText(foot.milliseconds)),
    },
    {
      head: t`Of your hours`,
      className: 'wide-only',
      cell: (line) => {
        const percent = part(line);
        return percent === undefined ? (
          ''
        ) : (
          <span className="flex min-w-24 items-center gap-3">
            <span className="mini flex-1" aria-hidden="true">
              <i style={{ width: `${percent}%` }} />
            </span>
            {formatPercent(percent)}
          </span>
        );
      },
    },
    {
      head: t`Amount`,
      kind: 'number',
      cell: ({ amounts }) => amountsText(amounts),
      foot: foot && amountsText(foot.ownAmounts),
    },
    {
      head: t`Yours`,
      kind: 'number',
      className: 'font-semibold',
      cell: ({ yours }) => amountsText(yours),
      foot: foot && amountsText(foot.ownYours),
    },
  ];
  return (
    <Table
      caption={caption}
      rows={lines}
      keyOf={({ audioId }) => audioId}
      columns={foot === undefined ? columns.filter(({ head }) => head !== t`Of your hours`) : columns}
    />
  );
}

function sharesText({ shares, creator }: Shown): string | undefined {
  const parts = shares.map(({ name, share }) => `${name} ${formatPercent(share)}`);
  const texts = creator === undefined ? parts : [creator, ...parts];
  return texts.length === 0 ? undefined : texts.join(', ');
}
