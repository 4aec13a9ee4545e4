import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Download from 'lucide-react/icons/download';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import FileText from 'lucide-react/icons/file-text';
import { href, Link } from 'react-router';
import type { DeskFigures } from '#domain/admin/desk/figures.ts';
import type { QueuedNotice } from '#domain/admin/desk/queue.ts';
import { formatDecimal } from '#formats/decimals.ts';
import { formatWeekday } from '#formats/moments.ts';
import { formatCount } from '#formats/numbers.ts';
import { formatDate, formatMonth } from '#formats/times.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { NoticeClock } from '#web/admin/desk/notice-clock.tsx';
import { kindLine, noticeAddress } from '#web/admin/desk/notice-queue.tsx';
import { ReportDownload } from '#web/admin/desk/report-download.tsx';
import { subjectTitle } from '#web/admin/desk/subject-words.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { StatTile, StatTiles } from '#web/workshop/charts/stat-tiles.tsx';
import { LocalTime, useTimeZone } from '#web/workshop/local-time.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/overview';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context, 'desk');
  const { desk } = site.admin;
  const [queue, counts, figures] = await Promise.all([
    desk.listNotices(viewer, undefined, { limit: 8 }),
    desk.countNotices(viewer),
    desk.findDeskFigures(viewer),
  ]);
  return { notices: queue.items, open: counts.all, figures };
}

/** Clocks, what waits, and reports for others. */
export default function DeskOverview({ loaderData: { notices, open, figures } }: Route.ComponentProps) {
  const zone = useTimeZone();
  const [latest] = figures.months;
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <p className="text-14 text-muted">
          {formatWeekday(figures.asOf, zone)} <LocalTime at={figures.asOf} style="full" />
        </p>
        {latest !== undefined && (
          <ReportDownload period={latest} format="pdf" className="btn btn--secondary">
            <Icon of={Download} size={18} />
            {t`${{ month: formatMonth(latest) }} report`}
          </ReportDownload>
        )}
      </div>
      <Figures figures={figures} open={open} />
      <div className="main-and-aside mt-6 max-lg:grid-cols-1">
        <Due notices={notices} figures={figures} />
        <Proof months={figures.months} />
      </div>
    </>
  );
}

function Figures({ figures, open }: { figures: DeskFigures; open: number }) {
  const { overdue, overdueSince, days, daysBefore, decided, punctual } = figures;
  const change =
    days === null || daysBefore === null || daysBefore === 0 ? undefined : (days - daysBefore) / daysBefore;
  return (
    <StatTiles label={t`Figures`} isRow>
      <StatTile
        label={t`Open notices`}
        value={formatCount(open)}
        detail={
          overdue > 0 &&
          overdueSince !== null && (
            <>
              <b className="up-bad">{plural(overdue, { one: '# overdue', other: '# overdue' })}</b>{' '}
              {t`hidden since ${{ day: formatDate(overdueSince) }}`}
            </>
          )
        }
      />
      <StatTile
        label={t`Median time to a decision`}
        value={
          days === null
            ? '–'
            : plural(days, { one: `${formatDecimal(days)} working day`, other: `${formatDecimal(days)} working days` })
        }
        delta={
          change === undefined
            ? undefined
            : {
                direction: change < 0 ? 'down' : change > 0 ? 'up' : 'same',
                text: `${Math.abs(Math.round(100 * change))}%`,
              }
        }
        detail={daysBefore !== null && t`from ${{ days: formatDecimal(daysBefore) }}`}
      />
      <StatTile
        label={t`Decided in time`}
        value={decided === 0 ? '–' : `${Math.round((100 * punctual) / decided)}%`}
        detail={t`${{ count: formatCount(punctual) }} of ${{ all: formatCount(decided) }} in 90 days`}
      />
    </StatTiles>
  );
}

function Due({ notices, figures }: { notices: QueuedNotice[]; figures: DeskFigures }) {
  if (notices.length === 0)
    return (
      <EmptyState
        title={t`Nothing waits`}
        text={
          figures.lastDecision === null
            ? t`What someone reports waits here for your decision.`
            : t`The last decision was made on ${{ day: formatDate(figures.lastDecision) }}.`
        }
      />
    );
  return (
    <Pane
      title={t`Notices, due first`}
      end={
        <Link className="more" to={href('/admin/desk/notices')}>
          <Trans>See all</Trans>
          <Icon of={ChevronRight} size={16} />
        </Link>
      }
    >
      <ul className="todo">
        {notices.map((notice) => (
          <li key={notice.id}>
            {notice.subject.imageUrl === null ? (
              <Avatar name={notice.subject.name} size={40} />
            ) : (
              <Cover imageUrl={notice.subject.imageUrl} size={40} />
            )}
            <div className="min-w-0">
              <Link className="tap block font-semibold" to={noticeAddress(notice.id)} dir="auto">
                <span className="block truncate">{subjectTitle(notice.subject)}</span>
              </Link>
              <small>{kindLine(notice)}</small>
            </div>
            <span className="flex flex-wrap items-center justify-end gap-4 max-md:col-[2] max-md:justify-start">
              <StateMark {...stateOf(notice)} />
              <NoticeClock clock={notice.clock} />
            </span>
          </li>
        ))}
      </ul>
    </Pane>
  );
}

function stateOf({ state }: QueuedNotice) {
  if (state === 'overdue') return { icon: EyeOff, tone: 'bad' as const, text: t`Hid itself` };
  if (state === 'hidden') return { icon: EyeOff, tone: 'bad' as const, text: t`Hidden until decided` };
  return { icon: Eye, text: t`Visible` };
}

/** Reports of whole months, newest first, and of the years that they are in. */
function Proof({ months }: { months: string[] }) {
  const years = [...new Set(months.map((month) => month.slice(0, 4)))];
  return (
    <Pane title={t`Proof for others`}>
      {months.length === 0 ? (
        <p className="text-14 text-muted">
          <Trans>The first report is here after the first whole month.</Trans>
        </p>
      ) : (
        <ul className="todo">
          {[...months, ...years].map((period) => {
            const name = period.length === 4 ? t`Year ${period}` : formatMonth(period);
            return (
              <li key={period}>
                <span className="todo__icon">
                  <Icon of={FileText} size={18} />
                </span>
                <b>{name}</b>
                <span className="flex gap-3">
                  <ReportDownload period={period} format="csv" className="link" label={t`${name}, CSV`}>
                    {t`CSV`}
                  </ReportDownload>
                  <ReportDownload period={period} format="pdf" className="link" label={t`${name}, PDF`}>
                    {t`PDF`}
                  </ReportDownload>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Pane>
  );
}
