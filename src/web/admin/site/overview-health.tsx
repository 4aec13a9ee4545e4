import { plural, t } from '@lingui/core/macro';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { href, Link } from 'react-router';
import type { CachedChecks } from '#domain/admin/site/cached-checks.ts';
import type { Overview } from '#domain/admin/site/overview.ts';
import { formatCount } from '#formats/numbers.ts';
import { formatAgo } from '#formats/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Note } from '#web/ui/note.tsx';
import { formatBytes } from '#web/bytes.ts';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import { checkName } from './check-names.ts';
import { CheckAgain, Line, useSystemAct } from './check-parts.tsx';
import { maxWaiting } from '#domain/admin/rules.ts';

type Level = 'ok' | 'warn' | 'FAIL';
/** `to`: page with details. */
type Fact = { name: string; fact: string; level: Level; to: string };
type HealthProps = { overview: Overview; checks: CachedChecks | undefined };

/** Whether everything works; a problem links to its section of the System page. */
export function OverviewHealth({ overview, checks }: HealthProps) {
  const { isChecking, checkAgain } = useSystemAct();
  const facts = [...listFacts(overview), ...(checks === undefined ? [] : [factOf(checks)])];
  const bad = facts.filter(({ level }) => level !== 'ok').length;
  return (
    <Pane
      title={t`System health`}
      end={
        bad > 0 && (
          <StateMark
            icon={TriangleAlert}
            tone="accent"
            text={plural(bad, { one: '# needs attention', other: '# need attention' })}
          />
        )
      }
    >
      <ul className="check-list">
        {facts.map(({ name, fact, level, to }) => (
          <Line
            key={name}
            name={name}
            state={level}
            act={
              level !== 'ok' && (
                <Link className="tap text-13 font-semibold text-accent-text" to={to} aria-label={t`Open ${name}`}>
                  {t`Open`}
                </Link>
              )
            }
          >
            {fact}
          </Line>
        ))}
      </ul>
      {checks !== undefined ? (
        <CheckAgain asOf={checks.asOf} />
      ) : (
        <>
          <Note tone="error" className="mt-3">
            {t`The checks could not be run.`}
          </Note>
          <Button size="sm" className="mt-3" disabled={isChecking} onClick={checkAgain}>
            {isChecking ? t`Checking` : t`Check again`}
          </Button>
        </>
      )}
    </Pane>
  );
}

/** A section of the System page. */
function partOf(id: string): string {
  return `${href('/admin/system')}#${id}`;
}

/** The checks of `doctor` in one line. */
function factOf({ findings }: CachedChecks): Fact {
  const of = (wanted: Level) => findings.filter(({ level }) => level === wanted);
  const [wrong, warned] = [of('FAIL'), of('warn')];
  const name = t`Checks`;
  const to = partOf('checks');
  const count = wrong.length || warned.length || findings.length;
  const named = (list: typeof findings) => [...new Set(list.map(({ about }) => checkName(about)))].join(', ');
  if (wrong.length > 0) return { name, fact: t`${count} wrong: ${{ checks: named(wrong) }}`, level: 'FAIL', to };
  if (warned.length > 0) return { name, fact: t`${count} to check: ${{ checks: named(warned) }}`, level: 'warn', to };
  return { name, fact: plural(count, { one: '# check in order', other: '# checks in order' }), level: 'ok', to };
}

/** Seconds after which a waiting job counts as late. */
const maxLagSeconds = 15 * 60;

function listFacts({ asOf, waits, health }: Overview): Fact[] {
  const { database, recordings, storage, index, backup, lastPaymentEvent, jobs, version } = health;
  const ago = (time: Date) => formatAgo(time.toISOString(), asOf.getTime());
  const all: (Fact | false)[] = [
    {
      name: t`Database`,
      fact: t`${{ size: formatBytes(database.bytes) }}, answers in ${{ milliseconds: database.milliseconds }} ms`,
      level: database.milliseconds < 500 ? 'ok' : 'warn',
      to: partOf('checks'),
    },
    {
      name: t`Storage`,
      fact: [
        formatBytes(recordings.bytes),
        audiosText(recordings.count),
        storage?.freeBytes !== undefined && t`${{ size: formatBytes(storage.freeBytes) }} free`,
      ]
        .filter(Boolean)
        .join(', '),
      level: 'ok',
      to: partOf('storage'),
    },
    index !== undefined && {
      name: t`Search index`,
      fact: index.isBuilding ? t`Is being built` : entriesText(index.documents),
      level: 'ok',
      to: partOf('search'),
    },
    jobs !== undefined && {
      name: t`Jobs`,
      fact: jobsText(jobs),
      level: jobs.failed === 0 && jobs.lagSeconds < maxLagSeconds ? 'ok' : 'warn',
      to: partOf('jobs'),
    },
    {
      name: t`Mail`,
      fact: waits.mails.count === 0 ? t`All sent` : t`${{ count: waitingText(waits.mails.count) }} not sent`,
      level: waits.mails.count === 0 ? 'ok' : 'FAIL',
      to: partOf('mail'),
    },
    {
      name: t`Payments`,
      fact:
        waits.paymentEvents.count > 0
          ? t`${{ count: waitingText(waits.paymentEvents.count) }} not processed`
          : lastPaymentEvent === null
            ? t`No message of the provider yet`
            : t`Last message ${{ ago: ago(lastPaymentEvent) }}`,
      level: waits.paymentEvents.count === 0 ? 'ok' : 'FAIL',
      to: `${href('/admin/webhook-events')}?state=failed`,
    },
    backup !== undefined && {
      name: t`Last backup`,
      fact: [
        backup.last === null ? t`None yet` : `${ago(backup.last.at)}, ${formatBytes(backup.last.bytes)}`,
        backup.isIncomplete && t`files are missing in it`,
        backup.hasFailed && t`the newest one failed`,
      ]
        .filter(Boolean)
        .join('; '),
      level: backup.isIncomplete ? 'FAIL' : backup.last === null || backup.hasFailed ? 'warn' : 'ok',
      to: partOf('backups'),
    },
    version !== undefined && { name: t`Version`, fact: version, level: 'ok', to: partOf('starts') },
  ];
  return all.filter((one) => one !== false);
}

function audiosText(audios: number): string {
  return plural(audios, { one: '# audio', other: '# audios' });
}

function entriesText(documents: number | undefined): string {
  if (documents === undefined) return t`Built`;
  return t`Built, ${plural(documents, { one: '# entry', other: '# entries' })}`;
}

function jobsText({ running, waiting, failed, lagSeconds }: NonNullable<Overview['health']['jobs']>): string {
  const late = Math.round(lagSeconds / 60);
  return lagSeconds > 60
    ? t`${running} running, ${waiting} waiting, ${failed} failed, ${late} min late`
    : t`${running} running, ${waiting} waiting, ${failed} failed`;
}

/** Waiting items are counted up to a maximum. */
function waitingText(count: number): string {
  const max = formatCount(maxWaiting);
  return count > maxWaiting ? t`over ${max}` : formatCount(count);
}
