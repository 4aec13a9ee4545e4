import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import Clock from 'lucide-react/icons/clock';
import Flag from 'lucide-react/icons/flag';
import { type ReactNode, useId } from 'react';
import type { GroupTranslations, TranslatedField } from '#domain/admin/texts/translations.ts';
import { languages } from '#formats/language-facts.ts';
import type { Language } from '#formats/languages.ts';
import { Pane } from '../../workshop/pane.tsx';
import { StateMark } from '../../workshop/state-mark.tsx';
import '../../ui/fields/text-area.css';

type TranslationRowsProps = {
  title: string;
  source: GroupTranslations['source'];
  field: TranslatedField;
  /** The text of a language, as typed. */
  typed(language: Language): string;
  onType(language: Language, text: string): void;
  /** The translation is right, although the text that it translates has changed. */
  onStillRight(language: Language): void;
};

/** One text of the site as it is written, and a row for each other language. */
export function TranslationRows({ title, source: from, field, typed, onType, onStillRight }: TranslationRowsProps) {
  const { source, max, isLong, translations } = field;
  return (
    <Pane
      title={title}
      end={
        <span className="text-13 text-muted">
          {plural(max, { one: '# character at most', other: '# characters at most' })}
        </span>
      }
    >
      <Row isSource language={from.language} state={<StateMark icon={Flag} text={t`Source`} />}>
        {() => (
          <p
            className="max-h-80 overflow-y-auto py-1.5 wrap-anywhere whitespace-pre-line"
            lang={from.language}
            dir={languages[from.language].direction}
          >
            {source}
          </p>
        )}
      </Row>
      {translations.map(({ language, state, text, before, builtIn }) => {
        const value = typed(language);
        const isTyped = value !== text;
        const common = {
          className: 'input__field',
          lang: language,
          dir: languages[language].direction,
          value,
          maxLength: max,
          placeholder: builtIn ?? source,
        };
        return (
          <Row
            key={language}
            language={language}
            state={
              <>
                <TranslationState state={state} from={from.name} />
                {state === 'outdated' && !isTyped && (
                  <button type="button" className="link mt-1 text-13" onClick={() => onStillRight(language)}>
                    {t`Still right`}
                  </button>
                )}
              </>
            }
          >
            {(id) => (
              <>
                {isLong ? (
                  <div className="input input--area">
                    <textarea
                      {...common}
                      id={id}
                      rows={source.length > 300 ? 12 : 3}
                      onChange={({ target }) => onType(language, target.value)}
                    />
                  </div>
                ) : (
                  <div className="input">
                    <input {...common} id={id} onChange={({ target }) => onType(language, target.value)} />
                  </div>
                )}
                {before !== undefined && (
                  <p className="hint wrap-anywhere">
                    <Trans>
                      Translated from: <q lang={from.language}>{before}</q>
                    </Trans>
                  </p>
                )}
                {builtIn !== undefined && value === '' && (
                  <button type="button" className="link mt-1 text-13" onClick={() => onType(language, builtIn)}>
                    {t`Start from the site’s text`}
                  </button>
                )}
              </>
            )}
          </Row>
        );
      })}
    </Pane>
  );
}

type RowProps = { language: Language; isSource?: boolean; state: ReactNode; children: (id: string) => ReactNode };

function Row({ language, isSource = false, state, children }: RowProps) {
  const id = useId();
  const { name } = languages[language];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1.5 border-t border-line py-3 first-of-type:border-0 md:grid-cols-[6.5rem_minmax(0,1fr)_9.5rem]">
      {isSource ? (
        <span className="py-1.5 text-14 font-semibold">{name}</span>
      ) : (
        <label htmlFor={id} className="py-1.5 text-14 font-semibold" lang={language}>
          {name}
        </label>
      )}
      <div className="min-w-0 max-md:order-last max-md:col-span-2">{children(id)}</div>
      <div className="flex flex-col items-start py-1 max-md:items-end">{state}</div>
    </div>
  );
}

function TranslationState({ state, from }: { state: TranslatedField['translations'][number]['state']; from: string }) {
  if (state === 'translated') return <StateMark icon={Check} tone="ok" text={t`Translated`} />;
  if (state === 'outdated') return <StateMark icon={Clock} tone="accent" text={t`Source changed`} />;
  if (state === 'built-in') return <StateMark icon={CircleDashed} text={t`Shows the site’s text`} />;
  return <StateMark icon={CircleDashed} text={t`Shows ${{ language: from }}`} />;
}
