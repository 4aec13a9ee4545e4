import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { FailureCode } from '#player/recovery/failure.ts';
import { VoiceLink } from '#web/catalogue/content-link.tsx';
import { loadOffer } from '#web/membership/offer.ts';
import { lockedLine } from '#web/membership/locked-line.ts';
import { useIsOn } from '#web/root-data.ts';
import { classNames } from '#web/ui/class-names.ts';
import { useLoaded } from '#web/ui/use-loaded.ts';
import { useEngineState, useListener, usePlayerCommands, usePlayerState } from '../listening/player-provider.tsx';
import { sourceOf } from '../listening/track-of.ts';

type Locked = 'login-required' | 'subscription-required';

/** Spec §4 only logs the player's errors; here the listener also sees one line (product, "Playing"). */
const failures: Record<Exclude<FailureCode, Locked>, () => string> = {
  network: () => t`The connection was lost`,
  decode: () => t`This recording cannot be played`,
  gone: () => t`This audio is no longer available`,
};

/** Line below the title: the creator’s name, or the error. */
export function PlayerLine({ place }: { place: 'bar' | 'expanded' }) {
  const { play } = usePlayerCommands();
  const current = usePlayerState((snapshot) => snapshot.current);
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  const failure = usePlayerState((snapshot) => snapshot.failure);
  const isReconnecting = useEngineState((engine) => engine.reconnecting);
  const isBlocked = useEngineState((engine) => engine.blocked);
  const isBar = place === 'bar';
  const look = isBar ? 'player__voice' : 'mt-0.5 flex min-h-8 items-center leading-[1.5rem] text-soft';
  const line = classNames(look, isBar && 'truncate');

  if (failure !== null) {
    return (
      <p className={classNames(look, 'flex gap-2')} role="alert">
        <span className="truncate text-danger">
          {isLocked(failure) ? <LockedLine title={current?.title ?? t`This audio`} /> : failures[failure]()}
        </span>
        {failure === 'network' && (
          <button type="button" className="link text-13" onClick={play}>
            <Trans>Retry</Trans>
          </button>
        )}
      </p>
    );
  }
  if (isReconnecting) return <p className={line}>{t`Connection lost. Trying again…`}</p>;
  if (isBlocked)
    return (
      <p className={line}>
        <Trans>Press play to continue</Trans>
      </p>
    );
  if (current === null)
    return (
      <p className={line}>
        <Trans>Choose an audio to play</Trans>
      </p>
    );
  const { name } = current.voice;
  const short = classNames('truncate', isPreview && 'dot');
  return (
    <p className={classNames(look, 'flex')}>
      {isPreview && (
        <span>
          <Trans>Preview</Trans>
        </span>
      )}
      {/* Two links of 44 px do not fit on a phone: there, the expanded player has the creator's. */}
      {isBar && <span className={classNames(short, 'md:hidden')}>{name}</span>}
      {/* The link truncates, not the line, which would clip the focus ring. Its height is the minimum target size. */}
      <VoiceLink
        className={classNames(short, 'hover:text-text', isBar ? 'max-md:hidden' : 'max-md:-my-3 max-md:py-3')}
        voice={current.voice}
        source={sourceOf(current)}
      >
        {name}
      </VoiceLink>
    </p>
  );
}

function isLocked(failure: FailureCode): failure is Locked {
  return failure === 'login-required' || failure === 'subscription-required';
}

function LockedLine({ title }: { title: string }) {
  const isVisitor = useListener().kind === 'visitor';
  const mayStart = useIsOn('signUp') && isVisitor;
  const offer = useLoaded(loadOffer, mayStart);
  return lockedLine(title, mayStart ? offer?.trialDays : undefined);
}
