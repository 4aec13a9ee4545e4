import { adminViewer } from '#web/admin/admin-viewer.ts';
import { LocalTime, useTimeZone } from '#web/workshop/local-time.tsx';
import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { countOf, formatCount } from '#formats/numbers.ts';
import { formatDateTime } from '#formats/moments.ts';
import { formatAgo } from '#formats/times.ts';
import { api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { formatBytes } from '#web/bytes.ts';
import { CheckAgain, Line, Part, SearchPart, storageText, TestLine } from '#web/admin/site/check-parts.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { useCall } from '#web/admin/use-call.ts';
import type { Route } from './+types/system';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [system, checks] = await Promise.all([site.admin.site.findSystem(viewer), site.admin.site.findChecks(viewer)]);
  return { system, checks, now: new Date() };
}

/** The machinery of the site: jobs and mails, connections, and backups. */
export default function AdminSystem({ loaderData: { system, checks, now } }: Route.ComponentProps) {
  const { call } = useCall();
  const { revalidate } = useRevalidator();
  const isUnderWay =
    system.index?.isBuilding === true || system.backups.some(({ state }) => state === 'waiting' || state === 'running');
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => void revalidate(), 3000);
    return () => clearInterval(timer);
  }, [isUnderWay, revalidate]);

  const ago = (time: Date) => formatAgo(time.toISOString(), now.getTime());
  const zone = useTimeZone();
  const formatMoment = (time: Date) => formatDateTime(time, zone);
  const jobsApi = api.admin.system.jobs[':id'];
  const mailsApi = api.admin.system.mails[':name'];
  const { unfinished, mails, storage, index, backups, starts, jobs } = system;

  return (
    <>
      <WorkshopHead
        title="System"
        facts={
          <>
            As of <LocalTime at={now} style="clock" />
          </>
        }
      />
      <div className="max-w-[1000px]">
        <Part
          id="checks"
          title="Checks"
          help="The quick checks of the doctor command, which can also check every file."
        >
          <ul className="check-list">
            {checks.findings.map(({ level, about, message }) => (
              <Line key={`${about} ${message}`} name={about} state={level}>
                {message}
              </Line>
            ))}
          </ul>
          <CheckAgain asOf={checks.asOf} />
        </Part>
        <Part id="jobs" title="Jobs" help="Background work of the site. Failed jobs were retried several times.">
          {unfinished.length === 0 ? (
            <p className="text-muted">No waiting or failed jobs.</p>
          ) : (
            <ul className="check-list">
              {unfinished.map(({ id, name, state, createdAt, tries, outcome }) => (
                <Line
                  key={id}
                  name={name}
                  state={state === 'failed' ? 'FAIL' : 'ok'}
                  act={
                    state === 'failed' ? (
                      <Button
                        size="sm"
                        aria-label={`Try again: ${name}`}
                        onClick={() =>
                          void call(id, () => jobsApi.retry.$post({ param: { id } }), {
                            done: `${name} is tried again`,
                          })
                        }
                      >
                        Try again
                      </Button>
                    ) : (
                      <Button
                        size="sm"
                        aria-label={`Cancel: ${name}`}
                        onClick={() =>
                          void call(id, () => jobsApi.cancel.$post({ param: { id } }), { done: `${name} is canceled` })
                        }
                      >
                        Cancel
                      </Button>
                    )
                  }
                >
                  {jobWords[state] ?? state} since {ago(createdAt)}, tried {countOf(tries, 'time')}
                  {outcome !== undefined && `: ${outcome.slice(0, 200)}`}
                </Line>
              ))}
            </ul>
          )}
          <details className="data mt-4">
            <summary>All {countOf(jobs.length, 'kind')} of jobs</summary>
            <ul className="check-list">
              {jobs.map(({ name, schedule, waiting, running, failed, doneAt }) => (
                <Line key={name} name={name} state={failed > 0 ? 'FAIL' : 'ok'}>
                  {schedule === undefined ? 'When needed' : `At ${schedule} (cron, UTC)`}. {waiting} waiting, {running}{' '}
                  running, {failed} failed. {doneAt === undefined ? 'Not done yet' : `Done ${ago(doneAt)}`}
                </Line>
              ))}
            </ul>
          </details>
        </Part>
        <Part id="mail" title="Mail" help="Mails that were not sent are kept for 30 days.">
          <ul className="check-list">
            <TestLine name="mail" label="Connection" tests={system.tests} ago={ago} />
            {mails.items.map(({ name, to, keptAt, reason }) => (
              <Line
                key={name}
                name={to}
                state="warn"
                act={
                  <>
                    <Button
                      size="sm"
                      aria-label={`Send again to ${to}`}
                      onClick={() => void call(name, () => mailsApi.retry.$post({ param: { name } }), { done: 'Sent' })}
                    >
                      Send again
                    </Button>{' '}
                    <Button
                      size="sm"
                      variant="ghost"
                      aria-label={`Delete the mail to ${to}`}
                      onClick={() => void call(name, () => mailsApi.$delete({ param: { name } }), { done: 'Deleted' })}
                    >
                      Delete
                    </Button>
                  </>
                }
              >
                Written {ago(keptAt)}. {reason ?? 'No mail server is set.'}
              </Line>
            ))}
          </ul>
          {mails.count > mails.items.length && (
            <p className="text-13 text-muted">
              The oldest {mails.items.length} of {formatCount(mails.count)}.
            </p>
          )}
        </Part>
        <SearchPart index={index} />
        <Part id="storage" title="Storage" help="Recordings, listening files and pictures.">
          <ul className="check-list">
            <Line name="Kind" state="ok">
              {storageText(storage)}
            </Line>
            <TestLine name="storage" label="Write and read" tests={system.tests} ago={ago} />
          </ul>
        </Part>
        <Part id="payment" title="Payment" help="Card numbers never reach this site. Keys are set on the server.">
          <ul className="check-list">
            <TestLine name="payment" label="Connection" tests={system.tests} ago={ago} />
          </ul>
        </Part>
        <Part
          id="backups"
          title="Backups"
          help="The database and every file, with personal data and the site’s secret: keep them as safe as the site."
        >
          {system.canBackUp ? (
            <Button
              size="sm"
              onClick={() => void call('backup', () => api.admin.system.backups.$post(), { done: 'Backup started' })}
            >
              Start a backup
            </Button>
          ) : (
            <p className="text-muted">BACKUP_DIR is not set on the server. Until it is, use the backup command.</p>
          )}
          <ul className="check-list mt-2">
            {backups.map(({ id, folder, state, askedAt, finishedAt, fileCount, fileBytes, rowCount, failure }) => (
              <Line
                key={id}
                name={state === 'done' && failure !== null ? 'Incomplete' : backupWords[state]}
                state={failure === null ? 'ok' : 'FAIL'}
              >
                {folder}, {finishedAt === null ? `started ${ago(askedAt)}` : ago(finishedAt)}
                {fileCount !== null &&
                  `: ${countOf(rowCount ?? 0, 'row')}, ${countOf(fileCount, 'file')}, ${formatBytes(fileBytes ?? 0)}`}
                {failure !== null && `: ${failure}`}
              </Line>
            ))}
          </ul>
        </Part>
        <Part id="starts" title="Starts" help="Each process of the site, with its version and how it ended.">
          <ul className="check-list">
            {starts.map(({ id, version, host, startedAt, stoppedAt, state, failure }) => (
              <Line key={id} name={startWords[state]} state={state === 'killed' || state === 'failed' ? 'warn' : 'ok'}>
                Version {version} on {host}, started {formatMoment(startedAt)}
                {stoppedAt !== null && `, stopped ${formatMoment(stoppedAt)}`}
                {failure !== null && `: ${failure}`}
              </Line>
            ))}
          </ul>
        </Part>
      </div>
    </>
  );
}

const jobWords: Record<string, string> = {
  failed: 'Failed',
  active: 'Running',
  retry: 'Will be retried',
  created: 'Waiting',
};
const backupWords = {
  waiting: 'Waiting',
  running: 'In progress',
  done: 'Complete',
  failed: 'Failed',
  removed: 'Removed',
};
const startWords = { running: 'Running', stopped: 'Stopped', failed: 'Failed', killed: 'Killed' };
