import { t } from '@lingui/core/macro';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { type PlaceRule, ageRules, askedAgain, elsewhere } from '#domain/age/rules.ts';
import type { AgeSettings } from '#domain/age/settings.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { FormDialog } from '#web/workshop/form-dialog.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { RowName, Table } from '#web/workshop/lists/table.tsx';
import { type Place, againLabels, presetLabels, ruleLabels } from './age-words.ts';

type OnePlace = AgeSettings['rules'][number];

type AgeRulesProps = {
  rules: readonly OnePlace[];
  others: PlaceRule;
  /** Nobody has set the rule for everywhere else. */
  isDefault: boolean;
  places: readonly Place[];
  nameOf: (place: string) => string;
  /** Whether a rule can ask for proof. */
  hasWay: boolean;
  onChange: (change: Partial<Pick<AgeSettings, 'rules' | 'others'>>) => void;
};

/** A row for the rule of each country or state, and a last one for everywhere else. */
export function AgeRules({ rules, others, isDefault, places, nameOf, hasWay, onChange }: AgeRulesProps) {
  const [isAdding, setIsAdding] = useState(false);
  const byName = new Map(places.map(({ value }, index) => [value, index]));
  const orderOf = ({ place }: OnePlace) => byName.get(place) ?? 0;
  const rows = [...rules.toSorted((a, b) => orderOf(a) - orderOf(b)), { ...others, preset: null }];

  function set(row: OnePlace, part: Partial<Pick<PlaceRule, 'rule' | 'again'>>): void {
    const { place, rule, again } = { ...row, ...part };
    if (place === elsewhere) return onChange({ others: { rule, again } });
    // It is then no longer that of the preset.
    onChange({ rules: rules.map((one) => (one.place === place ? { place, rule, again, preset: null } : one)) });
  }

  return (
    <>
      <Table
        caption={t`Rules`}
        rows={rows}
        keyOf={({ place }) => place}
        columns={[
          {
            head: t({ message: 'Where', context: 'rule of age' }),
            kind: 'name',
            cell: ({ place, preset }) => (
              <RowName name={nameOf(place)} note={noteOf(place, preset)}>
                {place === elsewhere && isDefault && (
                  <Button
                    size="sm"
                    variant="ghost"
                    onClick={() => onChange({ others: { rule: others.rule, again: others.again } })}
                  >
                    {t`Keep the default`}
                  </Button>
                )}
              </RowName>
            ),
          },
          {
            head: t({ message: 'Rule', context: 'rule of age' }),
            isBare: true,
            isWide: true,
            cell: (row) => (
              <RuleChoice row={row} name={nameOf(row.place)} hasWay={hasWay} onChoose={(rule) => set(row, { rule })} />
            ),
          },
          {
            head: t`Asked again`,
            isBare: true,
            isWide: true,
            cell: (row) => (
              <select
                className="input input--dense w-full md:min-w-45"
                aria-label={t`${{ place: nameOf(row.place) }}: asked again`}
                value={row.again}
                disabled={row.rule === 'none'}
                onChange={({ target }) => set(row, { again: askedAgain.find((one) => one === target.value) })}
              >
                {askedAgain.map((one) => (
                  <option key={one} value={one}>
                    {againLabels[one]()}
                  </option>
                ))}
              </select>
            ),
          },
          {
            head: t`Remove`,
            kind: 'actions',
            className: 'go',
            cell: ({ place }) =>
              place !== elsewhere && (
                <IconButton
                  icon={Trash2}
                  label={t`Remove ${{ place: nameOf(place) }}`}
                  onClick={() => onChange({ rules: rules.filter((one) => one.place !== place) })}
                />
              ),
          },
        ]}
      />
      <Button size="sm" className="mt-3.5" onClick={() => setIsAdding(true)}>
        <Icon of={Plus} size={16} />
        {t`Country or state`}
      </Button>
      {isAdding && (
        <AddPlace
          places={places.filter(({ value }) => !rules.some(({ place }) => place === value))}
          onAdd={(place) =>
            onChange({ rules: [...rules, { place, rule: 'statement', again: 'device', preset: null }] })
          }
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  );
}

function noteOf(place: string, preset: OnePlace['preset']): string | undefined {
  if (place === elsewhere) return t`And where the region is unknown`;
  return preset === null ? undefined : t`Preset ${{ name: presetLabels[preset]() }}`;
}

type RuleChoiceProps = {
  row: PlaceRule;
  name: string;
  hasWay: boolean;
  onChoose: (rule: PlaceRule['rule']) => void;
};

function RuleChoice({ row, name, hasWay, onChoose }: RuleChoiceProps) {
  return (
    <fieldset className="segments max-md:flex max-md:w-full" aria-label={t`Rule for ${{ place: name }}`}>
      {ageRules.map((rule) => (
        <button
          key={rule}
          type="button"
          className="max-md:flex-1 disabled:opacity-50"
          aria-pressed={row.rule === rule}
          disabled={rule === 'proof' && !hasWay && row.rule !== 'proof'}
          onClick={() => onChoose(rule)}
        >
          {ruleLabels[rule]()}
        </button>
      ))}
    </fieldset>
  );
}

type AddPlaceProps = { places: Place[]; onAdd: (place: string) => void; onClose: () => void };

function AddPlace({ places, onAdd, onClose }: AddPlaceProps) {
  const [place, setPlace] = useState('');
  return (
    <FormDialog
      title={t`Add a rule`}
      verb={t`Add`}
      isReady={place !== ''}
      onSubmit={async () => {
        onAdd(place);
        return true;
      }}
      onClose={onClose}
    >
      <ChoiceField label={t`Country or state`} value={place} options={places} onChoose={setPlace} />
    </FormDialog>
  );
}
