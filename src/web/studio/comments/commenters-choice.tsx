import { t } from '@lingui/core/macro';
import { type Commenters, commenterChoices } from '#domain/catalogue/rules.ts';

export const commenterLabels: Record<Commenters, () => string> = {
  everyone: () => t`Everyone`,
  subscribers: () => t`Subscribers`,
  nobody: () => t`Nobody`,
};

type CommentersChoiceProps = {
  /** Accessible name of the group. */
  label: string;
  value: Commenters;
  onChange: (commenters: Commenters) => void;
};

export function CommentersChoice({ label, value, onChange }: CommentersChoiceProps) {
  return (
    <fieldset className="segments segments--wide" aria-label={label}>
      {commenterChoices.map((choice) => (
        <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChange(choice)}>
          {commenterLabels[choice]()}
        </button>
      ))}
    </fieldset>
  );
}
