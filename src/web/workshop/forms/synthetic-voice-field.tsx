import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type SyntheticVoice, syntheticVoices } from '#domain/catalogue/rules.ts';
import { FilterSelect } from '../lists/filter-menu.tsx';

export const syntheticVoiceLabels: Record<SyntheticVoice, () => string> = {
  none: () => t({ message: 'None', context: 'synthetic voice' }),
  partly: () => t({ message: 'Partly', context: 'synthetic voice' }),
  wholly: () => t({ message: 'Wholly', context: 'synthetic voice' }),
};

type SyntheticVoiceFieldProps = { value: SyntheticVoice; onChoose: (chosen: SyntheticVoice) => void };

/** How much of an audio was spoken by a machine. */
export function SyntheticVoiceField({ value, onChoose }: SyntheticVoiceFieldProps) {
  return (
    <fieldset className="field" data-field="syntheticVoice" aria-label={t`Synthetic voice`}>
      <span className="field-label mb-0">
        <Trans>Synthetic voice</Trans>
      </span>
      <div className="segments justify-self-start">
        {syntheticVoices.map((one) => (
          <button key={one} type="button" aria-pressed={value === one} onClick={() => onChoose(one)}>
            {syntheticVoiceLabels[one]()}
          </button>
        ))}
      </div>
      <div className="field__note">
        <p className="hint">
          <Trans>Listeners see it before they press Play.</Trans>
        </p>
      </div>
    </fieldset>
  );
}

/** In the filters of a list of audios. */
export function SyntheticVoiceFilter({ value }: { value: SyntheticVoice | undefined }) {
  const choices = syntheticVoices.map((one): [string, string] => [one, syntheticVoiceLabels[one]()]);
  return <FilterSelect label={t`Synthetic voice`} name="syntheticVoice" value={value} choices={choices} />;
}
