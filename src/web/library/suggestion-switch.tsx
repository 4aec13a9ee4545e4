import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useSuggestionSwitch } from '#web/catalogue/for-you/use-suggestion-switch.ts';
import { useRootData } from '../root-data.ts';

/** On the account’s page; the same switch as in “For you”. */
export function SuggestionSwitch() {
  const isOn = useRootData()?.preferences.hasNoSuggestions !== true;
  const { isBusy, turn } = useSuggestionSwitch();
  const [wanted, setWanted] = useState<boolean>();
  const id = useId();
  return (
    <section className="noscript:hidden mt-8" aria-labelledby={id}>
      <h2 className="text-22" id={id}>
        <Trans>Suggestions</Trans>
      </h2>
      <button
        type="button"
        role="switch"
        aria-checked={wanted ?? isOn}
        aria-label={t`Suggest audios from my history`}
        aria-describedby={`${id}-where`}
        className="flex w-full items-center gap-4 py-3 text-start text-14"
        onClick={() => {
          if (isBusy) return;
          setWanted(!isOn);
          void turn(!isOn).finally(() => setWanted(undefined));
        }}
      >
        <span className="min-w-0 flex-1">
          <b className="block font-semibold">{t`Suggest audios from my history`}</b>
          <small className="text-13 text-muted" id={`${id}-where`}>
            <Trans>“For you” and “Keep playing”. Worked out on your device.</Trans>
          </small>
        </span>
        <span className="switch" />
      </button>
    </section>
  );
}
