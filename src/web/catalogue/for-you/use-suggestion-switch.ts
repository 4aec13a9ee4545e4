import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { choosePreferences } from '../../identity/preferences.ts';
import { useSession } from '../../identity/session-provider.tsx';
import { forgetSuggestions } from '../../listening/suggestions/own-suggestions.ts';
import { useListener } from '../../listening/player-provider.tsx';
import { useToast } from '../../ui/layers/toast.tsx';

/** In a dialog that has closed since: the focus goes to “Turn on”. */
export const wasTurnedOff = { now: false };

/** Turns suggestions on or off, for the account or on this device. `close`: the dialog in which it is turned off. */
export function useSuggestionSwitch(): { isBusy: boolean; turn: (isOn: boolean, close?: () => void) => Promise<void> } {
  const viewer = useListener();
  const { user } = useSession();
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  return {
    isBusy,
    async turn(isOn, close) {
      setIsBusy(true);
      const answer = await choosePreferences(user, { hasNoSuggestions: !isOn });
      if (answer.ok) {
        // Before the page changes, so that the focus stays where “Turn on” puts it.
        close?.();
        wasTurnedOff.now = !isOn && close !== undefined;
        await revalidate();
        if (!isOn) await forgetSuggestions(viewer);
      } else showToast({ text: answer.message });
      setIsBusy(false);
    },
  };
}
