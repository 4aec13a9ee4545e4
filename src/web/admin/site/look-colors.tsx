import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type CSSProperties, useId } from 'react';
import {
  checkColors,
  defaultColors,
  isHex,
  themes,
  tokenNames,
  type ThemeColors,
  type ThemeName,
} from '#domain/look/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { type PartFacts, LookSection } from './look-section.tsx';

type Colors = Record<ThemeName, ThemeColors | null>;

const isDefault = (theme: ThemeName, { accent, ground }: ThemeColors) =>
  accent.toLowerCase() === defaultColors[theme].accent && ground.toLowerCase() === defaultColors[theme].ground;

/** Accent and ground of both themes, with a preview and contrast problems. */
export function LookColors({ part, now }: { part: PartFacts & { value: Colors }; now: number }) {
  const { revision } = part;
  const edited = useEdited({
    key: 'look colors',
    subject: { type: 'settings', id: 'look-colors' },
    saved: { dark: part.value.dark ?? defaultColors.dark, light: part.value.light ?? defaultColors.light },
    send: ({ dark, light }) => {
      const value = { dark: isDefault('dark', dark) ? null : dark, light: isDefault('light', light) ? null : light };
      return answerOf(api.admin.look.colors.$put({ json: { value, revision } }));
    },
    done: t`Colors saved`,
  });
  const { values } = edited;
  const isReady = themes.every(
    (theme) =>
      isHex(values[theme].accent) &&
      isHex(values[theme].ground) &&
      checkColors(theme, values[theme]).problems.length === 0,
  );
  return (
    <LookSection
      part="colors"
      title={t`Colors`}
      help={t`The accent is for buttons, links and progress, the ground is behind everything. All other colors are derived from these two.`}
      facts={part}
      now={now}
      edited={edited}
      isReady={isReady}
    >
      {themes.map((theme) => (
        <ThemeFields
          key={theme}
          theme={theme}
          colors={values[theme]}
          onChange={(colors) => edited.change({ [theme]: colors })}
        />
      ))}
    </LookSection>
  );
}

const fieldLabels: Record<ThemeName, Record<keyof ThemeColors, () => string>> = {
  dark: { accent: () => t`Accent, dark`, ground: () => t`Ground, dark` },
  light: { accent: () => t`Accent, light`, ground: () => t`Ground, light` },
};

/** By `ContrastProblem.effect`. */
const problemTexts: Record<string, () => string> = {
  'makes text hard to read': () => t`The ground makes text hard to read`,
  'makes long texts hard to read': () => t`The ground makes long texts hard to read`,
  'makes dates and lengths hard to read': () => t`The ground makes dates and lengths hard to read`,
  'hides error messages': () => t`The ground hides error messages`,
  'hides what is done': () => t`The ground hides what is done`,
  'hides the hearts of favorites': () => t`The ground hides the hearts of favorites`,
  'hides the borders of fields': () => t`The ground hides the borders of fields`,
  'hides which control has the focus': () => t`The ground hides which control has the focus`,
  'is hard to see on the ground': () => t`The accent is hard to see on the ground`,
  'makes labels of buttons hard to read': () => t`The accent makes labels of buttons hard to read`,
  'gives links that are hard to read': () => t`The accent gives links that are hard to read`,
  'does not show how far an audio was heard': () => t`The accent does not show how far an audio was heard`,
  'hides text on tinted parts': () => t`The accent hides text on tinted parts`,
};

type ThemeFieldsProps = { theme: ThemeName; colors: ThemeColors; onChange: (colors: ThemeColors) => void };

function ThemeFields({ theme, colors, onChange }: ThemeFieldsProps) {
  const isWritten = isHex(colors.accent) && isHex(colors.ground);
  const checked = isWritten ? checkColors(theme, colors) : undefined;
  const title = theme === 'dark' ? t`Dark theme` : t`Light theme`;
  const better = checked?.better;
  return (
    <fieldset className="field-list border-0 p-0">
      <legend className="mb-3 font-semibold">{title}</legend>
      <div className="field-pair">
        {(['accent', 'ground'] as const).map((name) => (
          <ColorField
            key={name}
            label={fieldLabels[theme][name]()}
            value={colors[name]}
            onChange={(value) => onChange({ ...colors, [name]: value })}
          />
        ))}
      </div>
      {checked && <Preview theme={theme} tokens={checked.tokens} />}
      <div aria-live="polite">
        {checked && checked.problems.length === 0 && (
          <p className="hint">
            <Trans>All text is readable.</Trans>
          </p>
        )}
        {checked && checked.problems.length > 0 && (
          <>
            <ul className="hint">
              {checked.problems.map(({ effect, ratio, needed }) => (
                <li key={effect}>
                  {t`${{ problem: problemTexts[effect]?.() ?? effect }}: contrast ${ratio}, needed ${needed}.`}
                </li>
              ))}
            </ul>
            {better && (
              <button type="button" className="link text-13" onClick={() => onChange(better)}>
                {t`Use the nearest readable colors: accent ${{ accent: better.accent }}, ground ${{ ground: better.ground }}`}
              </button>
            )}
          </>
        )}
      </div>
    </fieldset>
  );
}

function ColorField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <div className="flex items-end gap-2">
      <Field
        className="flex-1"
        label={label}
        value={value}
        maxLength={7}
        spellCheck={false}
        error={isHex(value) ? undefined : t`Write it as #RRGGBB`}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <input
        type="color"
        className="h-11 w-11 flex-none cursor-pointer rounded-cover border border-control-line bg-transparent"
        aria-label={t`Pick: ${label}`}
        value={isHex(value) ? value.toLowerCase() : '#000000'}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function Preview({ theme, tokens }: { theme: ThemeName; tokens: ReturnType<typeof checkColors>['tokens'] }) {
  const id = useId();
  const style = Object.fromEntries(tokenNames.map((name) => [`--${name}`, tokens[name]])) as CSSProperties;
  const text = theme === 'dark' ? '#f7f0ea' : '#241819';
  const muted = theme === 'dark' ? '#afa19c' : '#6b5a5b';
  return (
    <section
      className="rounded-card border p-5"
      aria-labelledby={id}
      style={{ ...style, background: tokens.bg, color: text, borderColor: tokens.line }}
    >
      <p id={id} className="font-semibold">
        {theme === 'dark' ? t`Preview, dark theme` : t`Preview, light theme`}
      </p>
      <p className="text-13" style={{ color: muted }}>
        <Trans>
          Maren Holt · 12 min ·{' '}
          <span style={{ color: tokens['accent-text'], textDecoration: 'underline' }}>Read more</span>
        </Trans>
      </p>
      <div className="mt-3 h-1 rounded-full" style={{ background: tokens.track }}>
        <div className="h-1 w-2/5 rounded-full" style={{ background: tokens.accent }} />
      </div>
      <p className="mt-4 flex flex-wrap gap-2">
        <span
          className="rounded-full px-4 py-2 font-semibold"
          style={{ background: tokens.accent, color: tokens['accent-contrast'] }}
        >
          <Trans>Start free trial</Trans>
        </span>
        <span
          className="rounded-full border px-4 py-2"
          style={{ borderColor: tokens['control-line'], background: tokens.raised }}
        >
          <Trans>Browse first</Trans>
        </span>
        <span
          className="rounded-full px-4 py-2"
          style={{ background: tokens['accent-soft'], color: tokens['accent-text'] }}
        >
          <Trans>Playing now</Trans>
        </span>
      </p>
    </section>
  );
}
