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
    done: 'Colors saved',
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
      title="Colors"
      help="The accent is for buttons, links and progress, the ground is behind everything. All other colors are derived from these two."
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

type ThemeFieldsProps = { theme: ThemeName; colors: ThemeColors; onChange: (colors: ThemeColors) => void };

function ThemeFields({ theme, colors, onChange }: ThemeFieldsProps) {
  const isWritten = isHex(colors.accent) && isHex(colors.ground);
  const checked = isWritten ? checkColors(theme, colors) : undefined;
  const title = theme === 'dark' ? 'Dark theme' : 'Light theme';
  return (
    <fieldset className="field-list border-0 p-0">
      <legend className="mb-3 font-semibold">{title}</legend>
      <div className="field-pair">
        {(['accent', 'ground'] as const).map((name) => (
          <ColorField
            key={name}
            label={`${name === 'accent' ? 'Accent' : 'Ground'}, ${theme}`}
            value={colors[name]}
            onChange={(value) => onChange({ ...colors, [name]: value })}
          />
        ))}
      </div>
      {checked && <Preview theme={theme} tokens={checked.tokens} />}
      <div aria-live="polite">
        {checked && checked.problems.length === 0 && <p className="hint">All text is readable.</p>}
        {checked && checked.problems.length > 0 && (
          <>
            <ul className="hint">
              {checked.problems.map(({ of, effect, ratio, needed }) => (
                <li key={effect}>
                  The {of} {effect}: contrast {ratio}, needed {needed}.
                </li>
              ))}
            </ul>
            {checked.better && (
              <button type="button" className="link text-13" onClick={() => checked.better && onChange(checked.better)}>
                Use the nearest readable colors: accent {checked.better.accent}, ground {checked.better.ground}
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
        error={isHex(value) ? undefined : 'Write it as #RRGGBB'}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <input
        type="color"
        className="h-11 w-11 shrink-0 cursor-pointer rounded-cover border border-control-line bg-transparent"
        aria-label={`Pick: ${label}`}
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
        Preview, {theme} theme
      </p>
      <p className="text-13" style={{ color: muted }}>
        Maren Holt · 12 min ·{' '}
        <span style={{ color: tokens['accent-text'], textDecoration: 'underline' }}>Read more</span>
      </p>
      <div className="mt-3 h-1 rounded-full" style={{ background: tokens.track }}>
        <div className="h-1 w-2/5 rounded-full" style={{ background: tokens.accent }} />
      </div>
      <p className="mt-4 flex flex-wrap gap-2">
        <span
          className="rounded-full px-4 py-2 font-semibold"
          style={{ background: tokens.accent, color: tokens['accent-contrast'] }}
        >
          Start free trial
        </span>
        <span
          className="rounded-full border px-4 py-2"
          style={{ borderColor: tokens['control-line'], background: tokens.raised }}
        >
          Browse first
        </span>
        <span
          className="rounded-full px-4 py-2"
          style={{ background: tokens['accent-soft'], color: tokens['accent-text'] }}
        >
          Playing now
        </span>
      </p>
    </section>
  );
}
