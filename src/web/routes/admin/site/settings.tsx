import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { checkSections, SettingsChecks } from '#web/admin/site/settings-checks.tsx';
import { useState } from 'react';
import type { Section, SectionValues, SiteSettings } from '#domain/admin/site/site-settings.ts';
import { formatMoney } from '#formats/numbers.ts';
import { type Answer, answerOf, api } from '#web/api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { useAdminAct } from '#web/admin/second-factor/step-up.tsx';
import {
  type SettingField,
  type Typed,
  chainTexts,
  codesIn,
  featureTexts,
  keepingFields,
  limitFields,
  membershipFields,
  on,
  readTyped,
  typedOf,
  typedCurrency,
  tipFields,
} from '#web/admin/site/setting-fields.ts';
import { amountOf } from '#web/admin/money/typed-amount.ts';
import { LanguagesSection } from '#web/admin/site/languages-section.tsx';
import { NoticesSection } from '#web/admin/site/notices-section.tsx';
import { TaxSection } from '#web/admin/site/tax-section.tsx';
import { WordsSection } from '#web/admin/site/words-section.tsx';
import { ChangedBy, SettingsSection } from '#web/admin/site/settings-section.tsx';
import type { Route } from './+types/settings';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [settings, connections] = await Promise.all([
    site.admin.site.findSiteSettings(viewer),
    site.admin.site.findConnections(viewer),
  ]);
  const tax = { presets: site.membership.taxPresets, service: site.membership.findTaxService() };
  return { settings, connections, tax, now: new Date() };
}

const sections = () => [
  { id: 'membership', label: t`Prices and trial`, isBad: false },
  { id: 'keeping', label: t`Keeping subscribers`, isBad: false },
  { id: 'tax', label: t`Tax and invoices`, isBad: false },
  { id: 'tips', label: t`Tips`, isBad: false },
  { id: 'features', label: t`Features`, isBad: false },
  { id: 'languages', label: t`Languages`, isBad: false },
  { id: 'limits', label: t`Limits`, isBad: false },
  { id: 'chain', label: t`Publication`, isBad: false },
  { id: 'notices', label: t`Notices`, isBad: false },
  { id: 'words', label: t`Words`, isBad: false },
];

export default function AdminSettings({ loaderData }: Route.ComponentProps) {
  const { settings, connections, tax, now } = loaderData;
  return (
    <>
      <WorkshopHead
        title={t`Settings`}
        facts={t`Changes are logged. Keys and passwords are set on the server and never shown.`}
      />
      <nav className="chips mb-5" aria-label={t`Sections`}>
        {[...sections(), ...(connections === undefined ? [] : checkSections(connections))].map(
          ({ id, label, isBad }) => (
            <a key={id} className="chip" href={`#${id}`}>
              {label}
              {isBad && (
                <span className="up-bad">
                  {' '}
                  <Trans>(needs attention)</Trans>
                </span>
              )}
            </a>
          ),
        )}
      </nav>
      <div className="max-w-[1000px]">
        <MembershipSection section={settings.membership} />
        <KeepingSection section={settings.keeping} />
        <TaxSection section={settings.tax} {...tax} />
        <TipsSection section={settings.tips} currency={settings.membership.value.currency} />
        <SwitchesSection
          id="features"
          title={t`Features`}
          help={t`What the site offers. All are on by default.`}
          section={settings.features}
          texts={featureTexts()}
          put={(json) => answerOf(api.admin.settings.features.$put({ json }))}
        />
        <LanguagesSection section={settings.languages} />
        <LimitsSection section={settings.limits} />
        <SwitchesSection
          id="chain"
          title={t`Publication`}
          help={t`What a publication needs. All are off by default. What is online stays online; an audio of someone who does not agree is never published.`}
          section={settings.chain}
          texts={chainTexts()}
          put={(json) => answerOf(api.admin.settings.chain.$put({ json }))}
        />
        <NoticesSection section={settings.notices} />
        <WordsSection section={settings.words} />
        {connections !== undefined && <SettingsChecks connections={connections} now={now} />}
      </div>
    </>
  );
}

/** Nothing was sent, and the page shows why. */
const unsent = { ok: false, code: 'network', message: '', status: 0 } as const;

type TypedSectionProps<Value extends object> = {
  id: string;
  title: string;
  help: string;
  section: Section<Value>;
  /** @param typed undefined: as stored */
  fieldsOf: (typed: Typed | undefined) => SettingField[];
  put: (json: { value: Value; revision: number }) => Promise<Answer<unknown>>;
  /** A hint for a field, besides its own. */
  hintOf?: (path: string, typed: Typed) => string | undefined;
};

/** A section whose values are typed. */
function TypedSection<Value extends object>(props: TypedSectionProps<Value>) {
  const { id, title, help, section, fieldsOf, put, hintOf } = props;
  const act = useAdminAct();
  const [faults, setFaults] = useState<Typed>({});
  const edited = useEdited<Typed>({
    key: `settings ${id}`,
    subject: { type: 'settings', id },
    saved: typedOf(section.value, fieldsOf(undefined)),
    send: async (typed) => {
      const read = readTyped(section.value, fieldsOf(typed), typed);
      setFaults('faults' in read ? read.faults : {});
      if ('faults' in read) return unsent;
      return (await act(() => put({ value: read.value, revision: section.revision }))) ?? unsent;
    },
  });
  const fields = fieldsOf(edited.values);
  const usual = typedOf(section.standard, fields);
  return (
    <SettingsSection
      id={id}
      title={title}
      help={help}
      facts={<ChangedBy section={section} />}
      edited={{
        ...edited,
        reset() {
          setFaults({});
          edited.reset();
        },
      }}
      labels={Object.fromEntries(fields.map(({ path, label }) => [path, label]))}
    >
      <div className="field-pair">
        {fields.map(({ path, label, kind, ...field }) => {
          const value = edited.values[path] ?? field.start ?? '';
          if (kind === 'switch')
            return (
              <div key={path} className="col-span-full">
                <SwitchRow
                  label={label}
                  text={field.hint}
                  isOn={value === on}
                  onChange={(isOn) => edited.change({ [path]: isOn ? on : '' })}
                />
              </div>
            );
          const standard = [value, undefined].includes(usual[path])
            ? undefined
            : t`Default: ${{ value: usual[path] || t`empty` }}`;
          const hints = [hintOf?.(path, edited.values) ?? field.hint, standard].filter((hint) => hint !== undefined);
          return (
            <Field
              key={path}
              // They may be many, and end the fields of their currency.
              className={kind === 'countries' ? 'col-span-full' : undefined}
              label={label}
              value={value}
              inputMode={
                kind === 'money' ? 'decimal' : kind.startsWith('count') && kind !== 'countries' ? 'numeric' : 'text'
              }
              autoComplete="off"
              error={faults[path]}
              hint={hints.length === 0 ? undefined : hints.join(' ')}
              onChange={({ target }) => edited.change({ [path]: target.value })}
            />
          );
        })}
      </div>
    </SettingsSection>
  );
}

function MembershipSection({ section }: { section: SiteSettings['membership'] }) {
  function hintOf(path: string, typed: Typed): string | undefined {
    const [, further] = /^(?:currencies\.(\w+)\.)?plans\.year$/.exec(path) ?? [undefined];
    if (!path.endsWith('plans.year')) return undefined;
    const currency = further ?? typedCurrency(typed);
    const yearly = amountOf(typed[path] ?? '', currency);
    if (yearly === undefined) return undefined;
    const price = formatMoney(Math.round(yearly / 12), currency);
    return t`Shown as ${price} per month, billed annually`;
  }
  return (
    <TypedSection
      id="membership"
      title={t`Prices and trial`}
      help={t`New subscriptions only. Current subscribers keep their price. Saving creates the prices at the payment provider.`}
      section={section}
      fieldsOf={(typed) =>
        membershipFields(
          typed === undefined ? Object.keys(section.value.currencies) : codesIn(typed['currencies'] ?? ''),
        )
      }
      put={(json) => answerOf(api.admin.settings.membership.$put({ json }))}
      hintOf={hintOf}
    />
  );
}

function KeepingSection({ section }: { section: SiteSettings['keeping'] }) {
  return (
    <TypedSection
      id="keeping"
      title={t`Keeping subscribers`}
      help={t`Mails that keep subscribers from surprises, and bring some back; pauses, and an offer to those who cancel. What laws ask for is in the operating guide.`}
      section={section}
      fieldsOf={keepingFields}
      put={(json) => answerOf(api.admin.settings.keeping.$put({ json }))}
    />
  );
}

function TipsSection({ section, currency }: { section: SiteSettings['tips']; currency: string }) {
  return (
    <TypedSection
      id="tips"
      title={t`Tips`}
      help={t`One-off payments of listeners to a creator. The creator’s part is in the earnings of the month, in your currency.`}
      section={section}
      fieldsOf={() => tipFields(currency)}
      put={(json) => answerOf(api.admin.settings.tips.$put({ json }))}
    />
  );
}

function LimitsSection({ section }: { section: SiteSettings['limits'] }) {
  return (
    <TypedSection
      id="limits"
      title={t`Limits`}
      help={t`Limits per person, to prevent abuse.`}
      section={section}
      fieldsOf={limitFields}
      put={(json) => answerOf(api.admin.settings.limits.$put({ json }))}
    />
  );
}

/** Each value is on or off. */
function SwitchesSection<Name extends string>({
  id,
  title,
  help,
  section,
  texts,
  put,
}: {
  id: keyof SectionValues;
  title: string;
  help: string;
  section: Section<Record<Name, boolean>>;
  /** In their order. */
  texts: Record<Name, { label: string; text?: string }>;
  put: (json: { value: Record<Name, boolean>; revision: number }) => Promise<Answer<unknown>>;
}) {
  const edited = useEdited<Record<Name, boolean>>({
    key: `settings ${id}`,
    subject: { type: 'settings', id },
    saved: section.value,
    send: (value) => put({ value, revision: section.revision }),
  });
  const names = Object.keys(texts) as Name[];
  return (
    <SettingsSection
      id={id}
      title={title}
      help={help}
      facts={<ChangedBy section={section} />}
      edited={edited}
      labels={Object.fromEntries(names.map((name) => [name, texts[name].label]))}
    >
      <div>
        {names.map((name) => (
          <SwitchRow
            key={name}
            {...texts[name]}
            isOn={edited.values[name]}
            onChange={(isOn) => edited.change({ [name]: isOn } as Partial<Record<Name, boolean>>)}
          />
        ))}
      </div>
    </SettingsSection>
  );
}
