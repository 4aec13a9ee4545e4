import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { href, Link } from 'react-router';
import type { CachedChecks } from '#domain/admin/site/cached-checks.ts';
import type { Overview } from '#domain/admin/site/overview.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { formatAgo } from '#formats/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Note } from '#web/ui/note.tsx';
import { formatBytes } from '#web/bytes.ts';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
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
      title="System health"
      end={
        bad > 0 && (
          <StateMark icon={TriangleAlert} tone="accent" text={`${bad} ${bad === 1 ? 'needs' : 'need'} attention`} />
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
                <Link className="tap text-13 font-semibold text-accent-text" to={to} aria-label={`Open ${name}`}>
                  Open
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
            The checks could not be run.
          </Note>
          <Button size="sm" className="mt-3" disabled={isChecking} onClick={checkAgain}>
            {isChecking ? 'Checking' : 'Check again'}
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
  const name = 'Checks';
  const named = (list: typeof findings) => [...new Set(list.map(({ about }) => about))].join(', ');
  if (wrong.length > 0)
    return { name, fact: `${wrong.length} wrong: ${named(wrong)}`, level: 'FAIL', to: partOf('checks') };
  if (warned.length > 0)
    return { name, fact: `${warned.length} worth checking: ${named(warned)}`, level: 'warn', to: partOf('checks') };
  return { name, fact: `${countOf(findings.length, 'check')} in order`, level: 'ok', to: partOf('checks') };
}

/** Seconds after which a waiting job counts as late. */
const maxLagSeconds = 15 * 60;

function listFacts({ asOf, waits, health }: Overview): Fact[] {
  const { database, recordings, storage, index, backup, lastPaymentEvent, jobs, version } = health;
  const free = storage?.freeBytes === undefined ? '' : `, ${formatBytes(storage.freeBytes)} free`;
  const ago = (time: Date) => formatAgo(time.toISOString(), asOf.getTime());
  const all: (Fact | false)[] = [
    {
      name: 'Database',
      fact: `${formatBytes(database.bytes)}, answers in ${database.milliseconds} ms`,
      level: database.milliseconds < 500 ? 'ok' : 'warn',
      to: partOf('checks'),
    },
    {
      name: 'Storage',
      fact: `${formatBytes(recordings.bytes)}, ${countOf(recordings.count, 'audio')}${free}`,
      level: 'ok',
      to: partOf('storage'),
    },
    index !== undefined && {
      name: 'Search index',
      fact: index.isBuilding ? 'Is being built' : entriesText(index.documents),
      level: 'ok',
      to: partOf('search'),
    },
    jobs !== undefined && {
      name: 'Jobs',
      fact: `${jobs.running} running, ${jobs.waiting} waiting, ${jobs.failed} failed${jobs.lagSeconds > 60 ? `, ${Math.round(jobs.lagSeconds / 60)} min late` : ''}`,
      level: jobs.failed === 0 && jobs.lagSeconds < maxLagSeconds ? 'ok' : 'warn',
      to: partOf('jobs'),
    },
    {
      name: 'Mail',
      fact: waits.mails.count === 0 ? 'All sent' : `${waitingText(waits.mails.count)} not sent`,
      level: waits.mails.count === 0 ? 'ok' : 'FAIL',
      to: partOf('mail'),
    },
    {
      name: 'Payments',
      fact:
        waits.paymentEvents.count > 0
          ? `${waitingText(waits.paymentEvents.count)} not processed`
          : lastPaymentEvent === null
            ? 'No message of the provider yet'
            : `Last message ${ago(lastPaymentEvent)}`,
      level: waits.paymentEvents.count === 0 ? 'ok' : 'FAIL',
      to: `${href('/admin/webhook-events')}?state=failed`,
    },
    backup !== undefined && {
      name: 'Last backup',
      fact:
        (backup.last === null ? 'None yet' : `${ago(backup.last.at)}, ${formatBytes(backup.last.bytes)}`) +
        (backup.isIncomplete ? '; files are missing in it' : '') +
        (backup.hasFailed ? '; the newest one failed' : ''),
      level: backup.isIncomplete ? 'FAIL' : backup.last === null || backup.hasFailed ? 'warn' : 'ok',
      to: partOf('backups'),
    },
    version !== undefined && { name: 'Version', fact: version, level: 'ok', to: partOf('starts') },
  ];
  return all.filter((one) => one !== false);
}

function entriesText(documents: number | undefined): string {
  return documents === undefined ? 'Built' : `Built, ${countOf(documents, 'entry', 'entries')}`;
}

/** `12 mails`, `Over 1,000 mails`; without a name only the number. */
export function waitingText(count: number, one?: string, many?: string): string {
  const isOver = count > maxWaiting;
  const shown = Math.min(count, maxWaiting);
  return `${isOver ? 'Over ' : ''}${one === undefined ? formatCount(shown) : countOf(shown, one, many)}`;
}
