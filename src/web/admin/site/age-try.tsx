import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { type PlaceRule, elsewhere, ruleFor } from '#domain/age/rules.ts';
import type { AgeSettings } from '#domain/age/settings.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { type Place, againLabels, ruleLabels } from './age-words.ts';
import { Part } from '#web/workshop/forms/settings-part.tsx';

type AgeTryProps = {
  rules: readonly PlaceRule[];
  others: PlaceRule;
  asks: AgeSettings['asks'];
  places: readonly Place[];
  nameOf: (place: string) => string;
  /** The rules are not saved. */
  isChanged: boolean;
};

/** The rule that a visitor of a place meets, and the page. */
export function AgeTry({ rules, others, asks, places, nameOf, isChanged }: AgeTryProps) {
  const [region, setRegion] = useState('');
  const byPlace = new Map(rules.map((rule) => [rule.place, rule]));
  const { rule, again, place } = ruleFor(byPlace, others, region === '' ? undefined : region);
  return (
    <Part id="see-as" title={t`Try it`} help={t`What a visitor meets, by country or state.`}>
      <ChoiceField
        label={t`Visitor from`}
        value={region}
        none={t`Unknown region`}
        options={places}
        onChoose={setRegion}
      />
      <output className="mt-4 block text-14">
        <b className="block font-semibold">
          {[
            t`${{ rule: ruleLabels[rule]() }}, by the rule for ${{ place: nameOf(place) }}`,
            rule !== 'none' && againLabels[again](),
          ]
            .filter(Boolean)
            .join(' · ')}
        </b>
        <span className="mt-1 block text-muted">{pageText(rule, asks)}</span>
        {isChanged && <span className="mt-1 block text-muted">{t`With the changes that are not saved yet.`}</span>}
      </output>
      <form className="mt-4" method="post" action="/age/see-as">
        <input type="hidden" name="place" value={region === '' ? elsewhere : region} />
        <Button type="submit" disabled={isChanged}>{t`See as a visitor`}</Button>
        <p className="hint mt-2">
          {t`The site opens as for a visitor from there who has confirmed nothing, in this browser and for you alone. It is marked on every page and ends with a press, or after half an hour. You stay logged in.`}
        </p>
      </form>
    </Part>
  );
}

function pageText(rule: PlaceRule['rule'], asks: AgeSettings['asks']): string {
  if (rule === 'none') return t`Nothing is asked. Pages, sound and transcripts are open.`;
  if (rule === 'proof') return t`Only legal pages, log-in, the account and its payments are open before the proof.`;
  return asks === 'first'
    ? t`“Are you 18 or older?” comes first. Sound and transcripts follow the answer.`
    : t`Pages and pictures show. The first press on Play asks “Are you 18 or older?”; sound and transcripts follow the answer.`;
}
