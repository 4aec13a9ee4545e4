import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Suggestion } from '#suggestions/mix.ts';
import { useSession } from '../../identity/session-provider.tsx';
import { forgetSuggestions, forgotten } from '../../listening/suggestions/own-suggestions.ts';
import { useListener, usePlayerCommands } from '../../listening/player-provider.tsx';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import type { MenuRest } from '../../ui/layers/menu-parts.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { foreign } from '../foreign-language.tsx';
import { useHide } from '../hiding/use-hide.ts';
import { SmallCover } from './for-you-card.tsx';
import { heardText, reasonText } from './reason-text.tsx';
import { useSuggestionSwitch } from './use-suggestion-switch.ts';

/** `rest`: of the menu of its card. */
export type Asked = { suggestion: Suggestion; rest: MenuRest | undefined };

type WhyDialogProps = Asked & { open: boolean; listName: string; onClose: () => void };

/** Why an audio is among the suggestions. */
export function WhyDialog({ suggestion, rest, open, listName, onClose }: WhyDialogProps) {
  const { press } = usePlayerCommands();
  const siteName = useRootData()?.siteName ?? '';
  const { audio, reason } = suggestion;
  const { id, title } = audio;
  const hide = useHide();
  const heard = reason !== undefined && 'heard' in reason ? reason : undefined;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t`Why “${title}”?`}
      // “Undo” of the card, once it is hidden.
      finalFocus={() =>
        rest?.anchor?.closest('[data-unwanted]')?.querySelector<HTMLElement>('output button') ?? undefined
      }
    >
      <div className="grid gap-4">
        {heard ? (
          <>
            <div className="for-you__about">
              <div className="min-w-0 flex-1">
                <b className="block font-semibold" lang={foreign(heard.heard.language)}>
                  {heard.heard.title}
                </b>
                <span className="text-13 text-muted">{heardText(heard)}</span>
              </div>
            </div>
            <p className="text-soft">
              <Trans>
                Many listeners who played it also played “{title}”. That list is the same for everybody. Your browser
                compares it with what you played; {siteName} learns nothing new about you.
              </Trans>
            </p>
          </>
        ) : (
          <>
            <div className="for-you__about">
              <span className="cover cover--56">
                <SmallCover audio={audio} />
              </span>
              <p className="min-w-0 flex-1">{reasonText(suggestion) ?? <Trans>Not heard by you so far</Trans>}</p>
            </div>
            <p className="text-soft">
              <Trans>
                Some places are for what is new or little heard, and for the tags of what you play. Your browser chooses
                them; {siteName} learns nothing new about you.
              </Trans>
            </p>
          </>
        )}
        <Button
          variant="primary"
          width="full"
          onClick={() => {
            press([audio], 0, 'homepage', listName);
            onClose();
          }}
        >
          {t`Play it`}
        </Button>
        <Button
          variant="outline"
          width="full"
          // Without a picture: the site would learn what was suggested.
          onClick={() => hide({ kind: 'audio', id, name: title }, { rest, imageUrl: null, onHide: onClose })}
        >
          {t`Not for me`}
        </Button>
        <TurnOff onClose={onClose} />
      </div>
    </Dialog>
  );
}

/** How suggestions are made, and the switch. */
export function HowDialog({ onClose }: Pick<WhyDialogProps, 'onClose'>) {
  const viewer = useListener();
  const siteName = useRootData()?.siteName ?? '';
  const { user } = useSession();
  const showToast = useToast();
  async function forget() {
    await forgetSuggestions(viewer);
    forgotten.emit();
    showToast({ text: t`This device has forgotten what was played here` });
    onClose();
  }
  return (
    <Dialog open onClose={onClose} title={t`How “For you” works`}>
      <div className="grid gap-4">
        <p className="text-soft">
          <Trans>
            Once a week, {siteName} counts which audios at least ten of the same people hear. That list is the same for
            everybody. Your browser reads parts of it, among others drawn by chance, and compares them with what you
            played. Suggestions are made on this device and stay on it.
          </Trans>
        </p>
        <p className="text-soft">
          {user === null ? (
            <Trans>What you play without an account is kept in this browser only. It is never sent.</Trans>
          ) : (
            <Trans>
              Your browser uses your listening history and your favorites. Whatever you remove from them no longer
              counts.
            </Trans>
          )}
        </p>
        <p className="text-soft">
          <Trans>Two of ten places are for audios that are new or little heard.</Trans>
        </p>
        {user === null && (
          <Button variant="outline" width="full" onClick={() => void forget()}>
            {t`Forget what was played here`}
          </Button>
        )}
        <TurnOff onClose={onClose} />
      </div>
    </Dialog>
  );
}

function TurnOff({ onClose }: Pick<WhyDialogProps, 'onClose'>) {
  const { isBusy, turn } = useSuggestionSwitch();
  return (
    <Button
      variant="ghost"
      width="full"
      busy={isBusy ? t`Turning off…` : undefined}
      onClick={() => void turn(false, onClose)}
    >
      {t`Turn off suggestions`}
    </Button>
  );
}
