import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Play from 'lucide-react/icons/play';
import Smartphone from 'lucide-react/icons/smartphone';
import X from 'lucide-react/icons/x';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ProofRefusal } from '#domain/age/rules.ts';
import { ownPrefix, useRootData } from '../root-data.ts';
import { formatDay } from '#formats/times.ts';
import { LogInLink } from '../identity/log-in-link.tsx';
import { useSession } from '../identity/session-provider.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Countdown, EndButton } from './request-time.tsx';
import { Stage } from '../ui/stage.tsx';
import { useProofState } from './use-proof-state.ts';

/** The wallet has the request. */
export function AgeWaiting({ to, seconds }: { to: string; seconds: number }) {
  const prefix = ownPrefix(useRootData());
  const query = `?to=${encodeURIComponent(to)}`;
  const { isOver, end } = useProofState(`${prefix}/age/waiting${query}`);
  if (isOver)
    return (
      <Stage icon={Smartphone} title={t`This code has run out`} text={t`Nothing was kept.`} announced="status">
        <div className="stage__acts">
          <EndButton to={to} label={t`New code`} variant="primary" />
        </div>
      </Stage>
    );
  return (
    <Stage
      icon={LoaderCircle}
      title={t`Continue on your phone`}
      text={t`Your wallet has the request. Allow “over 18” there. This page goes on by itself.`}
      announced="status"
    >
      {/* A changing time is not read out. */}
      <p className="text-14 text-muted" aria-hidden="true">
        <Countdown seconds={seconds} onOver={end} />
      </p>
      <div className="stage__acts">
        <EndButton to={to} label={t`Use another way`} variant="outline" />
        <EndButton to={to} label={t`Cancel`} answer="no" />
      </div>
      <noscript>
        <a className="link" href={`${prefix}/age/waiting${query}`}>
          <Trans>Check again</Trans>
        </a>
      </noscript>
    </Stage>
  );
}

export type AgeDoneProps = { to: string; way: string; rule: string; until: Date | undefined; siteName: string };

/** Goes back by itself after three seconds, unless something is pressed. */
export function AgeDone({ to, way, rule, until, siteName }: AgeDoneProps) {
  const { user } = useSession();
  const navigate = useNavigate();
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => void navigate(to), 3000);
    const stay = () => clearTimeout(timer);
    for (const name of ['pointerdown', 'keydown']) window.addEventListener(name, stay, { signal: stop.signal });
    return () => {
      stay();
      stop.abort();
    };
  }, [navigate, to]);
  const day = until && formatDay(until);
  return (
    <Stage
      icon={Check}
      tone="good"
      title={t`Your age is confirmed`}
      text={
        day === undefined ? t`This device needs no further check.` : t`This device needs no further check until ${day}.`
      }
      announced="status"
    >
      <div className="stage__acts">
        <Button variant="primary" size="lg" render={<Link to={to} />}>
          {to.startsWith('/audio/') && <Icon of={Play} size={20} filled />}
          {to.startsWith('/audio/') ? t`Go on to the audio` : t`Go on`}
        </Button>
      </div>
      <div className="stage__facts">
        <p className="font-semibold">{t`What ${siteName} kept`}</p>
        <dl>
          <dt>{t({ message: 'Way', context: 'to prove an age' })}</dt>
          <dd>{way}</dd>
          <dt>{t({ message: 'Rule', context: 'rule of age' })}</dt>
          <dd>{rule}</dd>
          {day !== undefined && (
            <>
              <dt>{t({ message: 'Until', context: 'a proof of age counts' })}</dt>
              <dd>{day}</dd>
            </>
          )}
        </dl>
        <p className="mt-2.5 text-14 text-muted">
          {user === null ? (
            <Trans>
              In a cookie on this device. <LogInLink /> to keep it with your account, for your other devices and podcast
              feeds.
            </Trans>
          ) : (
            t`In a cookie on this device, and with your account.`
          )}
        </p>
      </div>
    </Stage>
  );
}

const refusals: Record<ProofRefusal, () => string> = {
  'not-of-age': () =>
    t`The wallet did not say that you are at least 18. Nothing was kept. If that is a mistake, try another way.`,
  denied: () => t`You did not allow it. Nothing was kept. If that is a mistake, try another way.`,
  unchecked: () => t`The answer could not be checked. Nothing was kept. If that is a mistake, try another way.`,
};

export function AgeRefused({ to, why }: { to: string; why: ProofRefusal }) {
  const again = `/age?to=${encodeURIComponent(to)}`;
  return (
    <Stage icon={X} tone="bad" title={t`Your age was not confirmed`} text={refusals[why]()} announced="alert">
      <div className="stage__acts">
        <Button variant="primary" render={<Link to={again} reloadDocument />}>
          {t`Use another way`}
        </Button>
        <Button variant="outline" render={<Link to={again} reloadDocument />}>
          {t`Try again`}
        </Button>
      </div>
      <p className="mt-3 text-14">{t`Your account, payments, help and the legal pages stay open to you.`}</p>
    </Stage>
  );
}
