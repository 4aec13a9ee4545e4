import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import type { AgePreset } from '#domain/age/presets.ts';
import { type PlaceRule, withRules } from '#domain/age/rules.ts';
import type { AgeSettings } from '#domain/age/settings.ts';
import { formatDate } from '#formats/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { actNamed } from './settings-section.tsx';
import { presetLabels } from './age-words.ts';

type Rules = AgeSettings['rules'];

type AgePresetsProps = {
  presets: Record<AgePreset, readonly PlaceRule[]>;
  /** The day, such as `2026-11-01`. */
  writtenOn: string;
  rules: Rules;
  hasWay: boolean;
  onAdd: (rules: Rules) => void;
};

/** Rules that laws are read to ask for. Adding them never changes a rule that is there. */
export function AgePresets({ presets, writtenOn, rules, hasWay, onAdd }: AgePresetsProps) {
  const has = new Set(rules.map(({ place }) => place));
  return (
    <div className="mt-6 border-t border-line pt-4.5">
      <h3 className="text-16 font-semibold">{t`Presets`}</h3>
      <ul className="mt-3 grid grid-cols-2 gap-2.5 max-md:grid-cols-1">
        {(Object.keys(presets) as AgePreset[]).map((name) => {
          const added = presets[name].map((rule) => ({ ...rule, preset: name }));
          const here = added.filter(({ place }) => has.has(place)).length;
          const label = presetLabels[name]();
          return (
            <li key={name} className="flex items-center gap-3 rounded-cover border border-line py-2.5 ps-4 pe-2.5">
              <div className="min-w-0 flex-1 text-14">
                <b className="block font-semibold">{label}</b>
                <small className="text-13 text-muted">{factsOf(presets[name], here)}</small>
              </div>
              {here === added.length ? (
                <span className="inline-flex items-center gap-1.5 pe-1.5 text-13 text-muted">
                  <Icon of={Check} size={16} />
                  <Trans context="preset">Added</Trans>
                </span>
              ) : (
                <Button
                  size="sm"
                  disabled={!hasWay && added.some(({ rule }) => rule === 'proof')}
                  onClick={() => onAdd(withRules(rules, added))}
                  {...actNamed(t`Add`, label)}
                />
              )}
            </li>
          );
        })}
      </ul>
      <p className="mt-2 text-13 text-muted">{t`Written on ${{ day: formatDate(writtenOn) }}. Not legal advice.`}</p>
    </div>
  );
}

function factsOf(preset: readonly PlaceRule[], here: number): string {
  const isWhole = here === preset.length;
  return [
    plural(preset.length, { one: '# rule', other: '# rules' }),
    here > 0 && !isWhole && plural(here, { one: '# is here', other: '# are here' }),
    preset.every(({ again }) => again === 'device') && t`on each new device`,
  ]
    .filter(Boolean)
    .join(', ');
}
