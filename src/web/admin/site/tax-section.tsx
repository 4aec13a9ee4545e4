import { plural, t } from '@lingui/core/macro';
import type { SiteSettings } from '#domain/admin/site/site-settings.ts';
import type { TaxRate } from '#domain/membership/tax/rules.ts';
import { formatDate } from '#formats/times.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { useAdminAct } from '../second-factor/step-up.tsx';
import { RadioOption } from '#web/workshop/forms/radio-option.tsx';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { readRates, typedRates } from './tax-rates.ts';
import { ChangedBy, SettingsSection } from './settings-section.tsx';

type Typed = Record<
  'rates' | 'name' | 'address' | 'country' | 'vatId' | 'note' | 'numberPrefix' | 'keepYears',
  string
> & {
  oneStopShop: boolean;
  mode: SiteSettings['tax']['value']['mode'];
};

type TaxSectionProps = {
  section: SiteSettings['tax'];
  presets: { rates: readonly TaxRate[]; writtenOn: string };
  /** Such as Stripe Tax; null: the main payment provider works out none. */
  service: string | null;
};

/** Tax by a table of rates or by the provider, and what invoices say of the seller. */
export function TaxSection({ section, presets, service }: TaxSectionProps) {
  const { mode, rates, seller, oneStopShop, note, numberPrefix, keepYears } = section.value;
  const act = useAdminAct();
  const edited = useEdited<Typed>({
    key: 'settings tax',
    subject: { type: 'settings', id: 'tax' },
    saved: {
      mode,
      rates: typedRates(rates),
      ...seller,
      country: seller.country ?? '',
      oneStopShop,
      note,
      numberPrefix,
      keepYears: String(keepYears),
    },
    send: async (typed) => {
      const country = typed.country.trim().toUpperCase();
      const value = {
        mode: typed.mode,
        rates: readRates(typed.rates).rates,
        seller: {
          name: typed.name,
          address: typed.address,
          country: country === '' ? null : country,
          vatId: typed.vatId,
        },
        oneStopShop: typed.oneStopShop,
        note: typed.note,
        numberPrefix: typed.numberPrefix.trim().toUpperCase(),
        keepYears: Number(typed.keepYears),
      };
      const put = async () => answerOf(api.admin.settings.tax.$put({ json: { value, revision: section.revision } }));
      return (await act(put)) ?? { ok: false, code: 'network', message: '', status: 0 };
    },
  });
  const { values, change } = edited;
  const read = readRates(values.rates);
  const has = new Set(read.rates.map(({ country }) => country));
  const missing = presets.rates.filter(({ country }) => !has.has(country));
  const field = (name: keyof Omit<Typed, 'mode' | 'rates' | 'address' | 'oneStopShop' | 'note'>) => ({
    value: values[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const years = t`Years`;
  const hasService = service !== null || mode === 'provider';
  const serviceName = service ?? t`the payment provider`;
  const options = [
    { mode: 'off' as const, label: t`Off`, note: t`Invoices have no tax.` },
    { mode: 'table' as const, label: t`By the rates below`, note: t`Prices include tax. Invoices show net and VAT.` },
    ...(hasService
      ? [
          {
            mode: 'provider' as const,
            label: t`By ${{ service: serviceName }}`,
            note: t`It works out the tax of new subscriptions, within the price. For everything else, such as gift cards, the rates below count.`,
          },
        ]
      : []),
  ];
  return (
    <SettingsSection
      id="tax"
      title={t`Tax and invoices`}
      help={t`For payments that this site sells itself; some providers sell in their own name and issue their own invoices. Issued invoices never change.`}
      facts={<ChangedBy section={section} />}
      edited={edited}
      isReady={read.fault === undefined}
      labels={{ mode: t`Tax`, rates: t`Rates`, keepYears: years }}
    >
      <fieldset>
        <legend className="sr-only">{t`Tax`}</legend>
        {options.map((option) => (
          <RadioOption
            key={option.mode}
            name="tax-mode"
            label={option.label}
            note={option.note}
            checked={values.mode === option.mode}
            onChoose={() => change({ mode: option.mode })}
          />
        ))}
      </fieldset>
      <TextArea
        label={t`Rates`}
        isOptional
        rows={8}
        value={values.rates}
        error={read.fault}
        onChange={({ target }) => change({ rates: target.value })}
      />
      <p className="hint -mt-3">
        {t`One per line: country, first day, percent, such as FI 2024-09-01 25.5. Countries without a rate have no tax.`}
      </p>
      {missing.length > 0 && read.fault === undefined && (
        <div>
          <Button
            size="sm"
            onClick={() => change({ rates: [values.rates.trim(), typedRates(missing)].filter(Boolean).join('\n') })}
          >
            {plural(new Set(missing.map(({ country }) => country)).size, {
              one: 'Add the standard VAT rate of # country',
              other: 'Add the standard VAT rates of # countries',
            })}
          </Button>
          <p className="hint">
            {t`European Union and United Kingdom. Written on ${{ day: formatDate(presets.writtenOn) }}. Not legal advice.`}
          </p>
        </div>
      )}
      <div className="field-pair">
        <Field label={t`Legal name`} isOptional hint={t`Empty: the site’s name.`} {...field('name')} />
        <Field label={t`VAT ID`} isOptional {...field('vatId')} />
      </div>
      <TextArea
        label={t`Address`}
        isOptional
        rows={3}
        value={values.address}
        onChange={({ target }) => change({ address: target.value })}
      />
      <div className="field-pair">
        <Field
          label={t`Country`}
          isOptional
          hint={t`Two letters, such as DE. Its tax applies where a buyer’s country is unknown.`}
          {...field('country')}
        />
        <Field
          label={t`Beginning of invoice numbers`}
          hint={t`Such as SO, for SO-2026-000001.`}
          {...field('numberPrefix')}
        />
        <Field
          label={years}
          inputMode="numeric"
          hint={t`For which invoices of deleted accounts are kept, without the person.`}
          {...field('keepYears')}
        />
      </div>
      <SwitchRow
        label={t`One-stop shop`}
        text={t`Invoices say it where the VAT is that of another country of the European Union.`}
        isOn={values.oneStopShop}
        onChange={(isOn) => change({ oneStopShop: isOn })}
      />
      <TextArea
        label={t`Note on invoices`}
        isOptional
        rows={2}
        maxLength={500}
        value={values.note}
        onChange={({ target }) => change({ note: target.value })}
      />
    </SettingsSection>
  );
}
