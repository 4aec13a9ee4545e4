import { t } from '@lingui/core/macro';
import type { Section } from '#domain/admin/site/site-settings.ts';
import type { Languages } from '#domain/settings/languages.ts';
import { languages } from '#formats/language-facts.ts';
import { isLanguage, languageCodes } from '#formats/languages.ts';
import { answerOf, api } from '#web/api.ts';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { ChangedBy, SettingsSection } from './settings-section.tsx';

const options = languageCodes.map((value) => ({ value, label: languages[value].name }));

/** The languages of pages, and that of the operators' own texts. */
export function LanguagesSection({ section }: { section: Section<Languages> }) {
  const edited = useEdited<Languages>({
    key: 'settings languages',
    subject: { type: 'settings', id: 'languages' },
    saved: section.value,
    send: (value) => answerOf(api.admin.settings.languages.$put({ json: { value, revision: section.revision } })),
  });
  const { values } = edited;
  const labels = { default: t`Default language`, ownTexts: t`Language of your texts` };
  const choose = (field: keyof typeof labels) => (code: string) => {
    if (isLanguage(code)) edited.change({ [field]: code });
  };
  return (
    <SettingsSection
      id="languages"
      title={t`Languages`}
      help={t`Languages of pages, emails and receipts.`}
      facts={<ChangedBy section={section} />}
      edited={edited}
      labels={{ ...labels, ...Object.fromEntries(options.map(({ value, label }) => [value, label])) }}
    >
      <ChoiceField
        label={labels.default}
        value={values.default}
        options={options}
        none={null}
        onChoose={choose('default')}
      >
        <small className="hint">
          {t`For all who have chosen none. Its addresses have nothing in front, such as /audios.`}
        </small>
      </ChoiceField>
      <ChoiceField
        label={labels.ownTexts}
        value={values.ownTexts}
        options={options}
        none={null}
        onChoose={choose('ownTexts')}
      >
        <small className="hint">
          {t`Categories, tags, playlists, series, menus, look, info pages and mails. Translations are made from it.`}
        </small>
      </ChoiceField>
      <fieldset>
        <legend className="text-14 font-semibold">{t`Also offered`}</legend>
        <p className="hint">{t`Each has addresses of its own, such as /de; people choose in the footer and the menu.`}</p>
        {languageCodes
          .filter((code) => code !== values.default)
          .map((code) => (
            <SwitchRow
              key={code}
              label={languages[code].name}
              text={languages[code].isForListenersOnly && t`Pages of listeners; Studio and Admin are in English.`}
              isOn={values[code]}
              onChange={(isOn) => edited.change({ [code]: isOn })}
            />
          ))}
      </fieldset>
    </SettingsSection>
  );
}
