import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import type { GroupTranslations } from '#domain/admin/texts/translations.ts';
import { type Language, inPath } from '#formats/languages.ts';
import { offeredBy, useRootData } from '#web/root-data.ts';
import { languages } from '#formats/language-facts.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { TranslatedSharePane } from '#web/admin/texts/translated-share.tsx';
import { TranslationRows } from '#web/admin/texts/translation-rows.tsx';
import { kindWord, textFieldWord } from '#web/admin/texts/translation-words.ts';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api } from '#web/api.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Pane } from '#web/workshop/pane.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { titled } from '#web/workshop/titled.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/translation';

export async function loader({ context, params: { kind, subject } }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const group = orNotFound(await site.admin.texts.findTranslations(viewer, kind, subject));
  return { group, path: await pathOf(site, group) };
}

/** The page of listeners that shows these texts. */
async function pathOf(
  { catalogue }: ReturnType<typeof adminViewer>['site'],
  { kind, subject }: GroupTranslations,
): Promise<string | undefined> {
  if (kind === 'category') {
    const category = await catalogue.findCategory(subject);
    return category && `/categories/${category.slug}`;
  }
  if (kind === 'playlist') {
    const playlist = await catalogue.findPlaylist(subject);
    return playlist && `/playlists/${playlist.slug}`;
  }
  if (kind === 'series') {
    const series = await catalogue.findSeries(subject);
    return series && `/series/${series.slug}`;
  }
  if (kind === 'info') return `/${subject}`;
  return kind === 'look' || kind === 'menu' ? '/' : undefined;
}

const titleOf = ({ group }: Route.ComponentProps['loaderData']) =>
  group.subject === 'all' ? kindWord(group.kind) : group.name;

export const meta = titled(titleOf);

/** The fields of the form: a text and a language. */
const nameOf = (key: string, language: Language) => `${key} ${language}`;

export default function AdminTranslation({ loaderData }: Route.ComponentProps) {
  const { group, path } = loaderData;
  const { call } = useCall();
  const rows = group.fields.flatMap(({ key, translations }) =>
    translations.map(({ language, text }) => ({ key, language, text })),
  );
  const id = `${group.kind}/${group.subject}`;
  const edited = useEdited<Record<string, string>>({
    key: `translations ${id}`,
    subject: { type: 'text', id },
    saved: Object.fromEntries(rows.map(({ key, language, text }) => [nameOf(key, language), text])),
    send: (values, changed, before) =>
      answerOf(
        api.admin.translations.$put({
          json: {
            texts: rows
              .filter(({ key, language }) => nameOf(key, language) in changed)
              .map(({ key, language }) => ({
                key,
                language,
                text: values[nameOf(key, language)] ?? '',
                before: before[nameOf(key, language)],
              })),
          },
        }),
      ),
  });
  const stillRight = ({ key, language, text }: (typeof rows)[number]) =>
    call('right', () => api.admin.translations.$put({ json: { texts: [{ key, language, text, before: text }] } }));
  const isWhole = group.subject === 'all';
  const shown = group.counts.map(({ language }) => language);
  const offered = offeredBy(useRootData());

  return (
    <>
      <WorkshopHead
        title={titleOf(loaderData)}
        back={{ to: href('/admin/translations'), label: t`Translations` }}
        facts={isWhole ? undefined : kindWord(group.kind)}
      />
      <div className="main-and-aside">
        <div className="stack">
          {shown.length === 0 && (
            <p className="text-muted">{t`The site is in one language alone. Add languages in Settings.`}</p>
          )}
          {group.fields.map((field) => (
            <TranslationRows
              key={field.key}
              title={
                group.kind === 'menu'
                  ? field.name
                  : isWhole
                    ? `${field.name}: ${textFieldWord(field.field)}`
                    : textFieldWord(field.field)
              }
              source={group.source}
              field={field}
              typed={(language) => edited.values[nameOf(field.key, language)] ?? ''}
              onType={(language, text) => edited.change({ [nameOf(field.key, language)]: text })}
              onStillRight={(language) => {
                const row = rows.find((one) => one.key === field.key && one.language === language);
                if (row !== undefined) void stillRight(row);
              }}
            />
          ))}
        </div>
        <aside className="stack" aria-label={t`Details`}>
          <TranslatedSharePane share={group} />
          {path !== undefined && (
            <Pane title={t`Address`}>
              <ul className="text-14 text-muted">
                {offered.map((language) => (
                  <li key={language} className="py-0.5 wrap-anywhere">
                    <a
                      className="ulink"
                      href={inPath(language, path, offered)}
                      hrefLang={language}
                      title={languages[language].name}
                    >
                      {inPath(language, path, offered)}
                    </a>
                  </li>
                ))}
              </ul>
              <p className="hint mt-2">{t`One address for all languages, with the language in front.`}</p>
            </Pane>
          )}
        </aside>
      </div>
      <EditedBar edited={edited} />
    </>
  );
}
