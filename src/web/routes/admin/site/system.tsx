import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { LocalTime, useTimeZone } from '#web/workshop/local-time.tsx';
import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { formatCount } from '#formats/numbers.ts';
import { formatDateTime } from '#formats/moments.ts';
import { formatAgo } from '#formats/times.ts';
import { api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { formatBytes } from '#web/bytes.ts';
import { CheckAgain, Line, SearchPart, storageText, TestLine } from '#web/admin/site/check-parts.tsx';
import { Part } from '#web/workshop/forms/settings-part.tsx';
import { checkName } from '#web/admin/site/check-names.ts';
import { jobName } from '#web/admin/site/job-names.ts';
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
        title={t`System`}
        facts={
          <>
            <Trans>
              As of <LocalTime at={now} style="clock" />
            </Trans>
          </>
        }
      />
      <div className="max-w-[1000px]">
        <Part
          id="checks"
          title={t`Checks`}
          help={t`The quick checks of the doctor command, which can also check every file.`}
        >
          <ul className="check-list">
            {checks.findings.map(({ level, about, message }) => (
              <Line key={`${about} ${message}`} name={checkName(about)} state={level}>
                {message}
              </Line>
            ))}
          </ul>
          <CheckAgain asOf={checks.asOf} />
        </Part>
        <Part id="jobs" title={t`Jobs`} help={t`Background work of the site. Failed jobs were retried several times.`}>
          {unfinished.length === 0 ? (
            <p className="text-muted">
              <Trans>No waiting or failed jobs.</Trans>
            </p>
          ) : (
            <ul className="check-list">
              {unfinished.map(({ id, name: code, state, createdAt, tries, outcome }) => {
                const name = jobName(code);
                return (
                  <Line
                    key={id}
                    name={name}
                    state={state === 'failed' ? 'FAIL' : 'ok'}
                    act={
                      state === 'failed' ? (
                        <Button
                          size="sm"
                          aria-label={t`Try again: ${name}`}
                          onClick={() =>
                            void call(id, () => jobsApi.retry.$post({ param: { id } }), {
                              done: t`${name} is tried again`,
                            })
                          }
                        >
                          {t`Try again`}
                        </Button>
                      ) : (
                        <Button
                          size="sm"
                          aria-label={t`Cancel: ${name}`}
                          onClick={() =>
                            void call(id, () => jobsApi.cancel.$post({ param: { id } }), {
                              done: t`${name} is canceled`,
                            })
                          }
                        >
                          {t`Cancel`}
                        </Button>
                      )
                    }
                  >
                    {t`${{ state: jobWords[state]?.() ?? state }}, created ${{ when: ago(createdAt) }}, tried ${plural(tries, { one: '# time', other: '# times' })}`}
                    {outcome !== undefined && <span lang="en">: {outcome.slice(0, 200)}</span>}
                  </Line>
                );
              })}
            </ul>
          )}
          <details className="data mt-4">
            <summary>
              {plural({ count: jobs.length }, { one: 'All # kind of jobs', other: 'All # kinds of jobs' })}
            </summary>
            <ul className="check-list">
              {jobs.map(({ name, schedule, waiting, running, failed, doneAt }) => (
                <Line key={name} name={jobName(name)} state={failed > 0 ? 'FAIL' : 'ok'}>
                  <code>{name}</code>. {schedule === undefined ? t`When needed.` : t`At ${schedule} (cron, UTC).`}{' '}
                  {t`${waiting} waiting, ${running} running, ${failed} failed.`}{' '}
                  {doneAt === undefined ? t`Not done yet.` : t`Done ${{ when: ago(doneAt) }}.`}
                </Line>
              ))}
            </ul>
          </details>
        </Part>
        <Part id="mail" title={t`Mail`} help={t`Mails that were not sent are kept for 30 days.`}>
          <ul className="check-list">
            <TestLine name="mail" label={t`Connection`} tests={system.tests} ago={ago} />
            {mails.items.map(({ name, to, keptAt, reason }) => (
              <Line
                key={name}
                name={to}
                state="warn"
                act={
                  <>
                    <Button
                      size="sm"
                      aria-label={t`Send again to ${to}`}
                      onClick={() =>
                        void call(name, () => mailsApi.retry.$post({ param: { name } }), { done: t`Sent` })
                      }
                    >
                      {t`Send again`}
                    </Button>{' '}
                    <Button
                      size="sm"
                      variant="ghost"
                      aria-label={t`Delete the mail to ${to}`}
                      onClick={() => void call(name, () => mailsApi.$delete({ param: { name } }), { done: t`Deleted` })}
                    >
                      {t`Delete`}
                    </Button>
                  </>
                }
              >
                {t`Written ${{ when: ago(keptAt) }}.`} {reason ?? t`No mail server is set.`}
              </Line>
            ))}
          </ul>
          {mails.count > mails.items.length && (
            <p className="text-13 text-muted">
              {t`The oldest ${{ count: formatCount(mails.items.length) }} of ${{ total: formatCount(mails.count) }}.`}
            </p>
          )}
        </Part>
        <SearchPart index={index} />
        <Part id="storage" title={t`Storage`} help={t`Recordings, listening files and pictures.`}>
          <ul className="check-list">
            <Line name={t`Kind`} state="ok">
              {storageText(storage)}
            </Line>
            <TestLine name="storage" label={t`Write and read`} tests={system.tests} ago={ago} />
          </ul>
        </Part>
        <Part id="payment" title={t`Payment`} help={t`Card numbers never reach this site. Keys are set on the server.`}>
          <ul className="check-list">
            <TestLine name="payment" label={t`Connection`} tests={system.tests} ago={ago} />
          </ul>
        </Part>
        <Part
          id="backups"
          title={t`Backups`}
          help={t`The database and every file, with personal data and the site’s secret: keep them as safe as the site.`}
        >
          {system.canBackUp ? (
            <Button
              size="sm"
              onClick={() => void call('backup', () => api.admin.system.backups.$post(), { done: t`Backup started` })}
            >
              {t`Start a backup`}
            </Button>
          ) : (
            <p className="text-muted">
              <Trans>BACKUP_DIR is not set on the server. Until it is, use the backup command.</Trans>
            </p>
          )}
          <ul className="check-list mt-2">
            {backups.map(({ id, folder, state, askedAt, finishedAt, fileCount, fileBytes, rowCount, failure }) => (
              <Line
                key={id}
                name={state === 'done' && failure !== null ? t`Incomplete` : backupWords[state]()}
                state={failure === null ? 'ok' : 'FAIL'}
              >
                {folder}, {finishedAt === null ? t`started ${{ when: ago(askedAt) }}` : ago(finishedAt)}
                {fileCount !== null &&
                  `: ${t`${plural({ rows: rowCount ?? 0 }, { one: '# row', other: '# rows' })}, ${plural({ files: fileCount }, { one: '# file', other: '# files' })}, ${{ size: formatBytes(fileBytes ?? 0) }}`}`}
                {failure !== null && <span lang="en">: {failure}</span>}
              </Line>
            ))}
          </ul>
        </Part>
        <Part id="starts" title={t`Starts`} help={t`Each process of the site, with its version and how it ended.`}>
          <ul className="check-list">
            {starts.map(({ id, version, host, startedAt, stoppedAt, state, failure }) => (
              <Line
                key={id}
                name={startWords[state]()}
                state={state === 'killed' || state === 'failed' ? 'warn' : 'ok'}
              >
                {stoppedAt === null
                  ? t`Version ${version} on ${host}, started ${{ start: formatMoment(startedAt) }}`
                  : t`Version ${version} on ${host}, started ${{ start: formatMoment(startedAt) }}, stopped ${{ stop: formatMoment(stoppedAt) }}`}
                {failure !== null && <span lang="en">: {failure}</span>}
              </Line>
            ))}
          </ul>
        </Part>
      </div>
    </>
  );
}

const jobWords: Record<string, () => string> = {
  failed: () => t`Failed`,
  active: () => t`Running`,
  retry: () => t`Will be retried`,
  created: () => t`Waiting`,
};
const backupWords = {
  waiting: () => t`Waiting`,
  running: () => t`In progress`,
  done: () => t`Complete`,
  failed: () => t`Failed`,
  removed: () => t`Removed`,
};
const startWords = {
  running: () => t`Running`,
  stopped: () => t`Stopped`,
  failed: () => t`Failed`,
  killed: () => t`Killed`,
};
