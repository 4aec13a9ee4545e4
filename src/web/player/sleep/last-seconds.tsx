import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Dialog } from '@base-ui/react/dialog';
import { type CSSProperties, useRef } from 'react';
import { LAST_SECONDS } from '#player/sleep/night.ts';
import { Button } from '#web/ui/button.tsx';
import { useSleepTimer } from '#web/listening/player-provider.tsx';
import { nightWatch, useNight } from '#web/listening/night/open-night.ts';
import '#web/styles/sleep.css';

/**
 * The last seconds of the sleep timer: dark in every theme, so that it wakes nobody. The night watch takes the touches
 * and keys.
 */
export function LastSeconds() {
  const isEnding = useNight((night) => night.isEnding);
  const more = useRef<HTMLButtonElement>(null);
  return (
    <Dialog.Root open={isEnding} onOpenChange={(isOpen) => !isOpen && nightWatch()?.letStop()} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Popup
          role="alertdialog"
          className="last-seconds"
          data-theme="dark"
          data-last-seconds
          initialFocus={more}
        >
          <p className="sr-only">{t`Stops in 30 seconds`}</p>
          <Ring />
          <Dialog.Title className="last-seconds__title">
            <Trans>Still awake?</Trans>
          </Dialog.Title>
          <Dialog.Description className="last-seconds__text">
            <Trans>Touch anywhere for 10 more minutes. A press of the headphone button does it too.</Trans>
          </Dialog.Description>
          {/* Like any other touch. */}
          <Button ref={more} variant="outline" size="lg">
            <Trans>10 more minutes</Trans>
          </Button>
          <Button variant="ghost" data-let-stop onClick={() => nightWatch()?.letStop()}>
            <Trans>Let it stop</Trans>
          </Button>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Not announced: a number each second would keep awake. */
function Ring() {
  const seconds = useSleepTimer(({ remainingSeconds }) => Math.min(remainingSeconds ?? 0, LAST_SECONDS));
  return (
    <div
      role="timer"
      aria-live="off"
      aria-label={t`Time left`}
      className="last-seconds__ring"
      style={{ '--left': `${(seconds / LAST_SECONDS) * 100}%` } as CSSProperties}
    >
      {seconds}
    </div>
  );
}
