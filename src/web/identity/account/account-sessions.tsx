import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { formatLastUse } from '#formats/last-use.ts';
import { deviceName } from './device-name.ts';
import { DeviceRow } from './device-row.tsx';
import { useSession } from '../session-provider.tsx';

const loadDevices = () => import('./offline-devices.tsx');

type DeviceSession = { id: string; device: string; createdAt: string; lastUsedAt: string; isCurrent: boolean };
type Listed =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'here'; sessions: DeviceSession[] };

/** @param props.asOf a new value reloads the list, because the sessions have changed */
export function AccountSessions({ asOf }: { asOf: number | undefined }) {
  const { ended } = useSession();
  const showToast = useToast();
  const [listed, setListed] = useState<Listed>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const [leaving, setLeaving] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const devices = useLoaded(loadDevices, true);

  // Loaded by an API call, not by the page’s loader: only the token identifies this device’s session.
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void answerOf(api.user.sessions.$get({}, { init: { signal } })).then((answer) => {
      if (signal.aborted) return;
      setListed(
        answer.ok ? { state: 'here', sessions: answer.data.items } : { state: 'failed', message: answer.message },
      );
    });
    return () => controller.abort();
  }, [asOf, attempt]);

  async function logOutOf({ id, device: stored }: DeviceSession): Promise<void> {
    const device = deviceName(stored);
    setLeaving(id);
    const answer = await answerOf(api.user.sessions[':id'].$delete({ param: { id } }));
    setLeaving(undefined);
    // Not found: the session had already ended.
    if (!answer.ok && answer.code !== 'request/not-found') return showToast({ text: answer.message });
    setListed((before) =>
      before.state === 'here' ? { ...before, sessions: before.sessions.filter((one) => one.id !== id) } : before,
    );
    showToast({ text: t`Logged out of ${device}` });
    heading.current?.focus();
  }

  async function logOutEverywhere(): Promise<void> {
    setIsBusy(true);
    const answer = await answerOf(api.user.sessions.$delete());
    setIsBusy(false);
    setIsAsking(false);
    showToast({ text: answer.ok ? t`Logged out everywhere` : answer.message });
    if (answer.ok) ended();
  }

  return (
    <section id="sessions" tabIndex={-1} aria-label={t`Sessions`}>
      <h1 ref={heading} tabIndex={-1} className="text-26">
        <Trans>Sessions</Trans>
      </h1>
      <p className="mt-1 text-muted">
        <Trans>Where you are logged in.</Trans>
      </p>
      <noscript>
        <p className="mt-4 text-soft">
          <Trans>Listing your sessions needs JavaScript.</Trans>
        </p>
      </noscript>
      {listed.state === 'loading' && (
        <p className="noscript:hidden mt-4 text-muted">
          <Trans>Loading…</Trans>
        </p>
      )}
      {listed.state === 'failed' && (
        <div role="alert" className="mt-4 flex flex-wrap items-center gap-3 text-muted">
          {listed.message}
          <Button size="sm" onClick={() => setAttempt(attempt + 1)}>
            {t`Try again`}
          </Button>
        </div>
      )}
      {listed.state === 'here' && (
        <>
          <ul className="details">
            {listed.sessions.map((session) => {
              const { id } = session;
              const device = deviceName(session.device);
              const lastUsed = formatLastUse(session.lastUsedAt);
              const firstUsed = formatLastUse(session.createdAt);
              return (
                <DeviceRow
                  key={id}
                  {...session}
                  device={device}
                  facts={t`Last used ${lastUsed} · First used ${firstUsed}`}
                >
                  {!session.isCurrent && (
                    <button
                      type="button"
                      className="link"
                      aria-label={t`Log out of ${device}, last used ${lastUsed}`}
                      disabled={leaving === id}
                      onClick={() => void logOutOf(session)}
                    >
                      <Trans>Log out</Trans>
                    </button>
                  )}
                </DeviceRow>
              );
            })}
          </ul>
          <Button variant="outline" className="mt-5" onClick={() => setIsAsking(true)}>
            {t`Log out everywhere`}
          </Button>
          {devices && <devices.OfflineDevices />}
        </>
      )}
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Log out everywhere`}
        description={t`Every device that is logged in to your account will be logged out, and so will this one.`}
      >
        <div className="mt-6 flex flex-wrap gap-2">
          <Button variant="primary" busy={isBusy ? t`Logging out…` : undefined} onClick={() => void logOutEverywhere()}>
            {t`Log out everywhere`}
          </Button>
          <Button variant="ghost" onClick={() => setIsAsking(false)}>
            {t`Stay logged in`}
          </Button>
        </div>
      </Dialog>
    </section>
  );
}
