import { plural, t } from '@lingui/core/macro';
import Download from 'lucide-react/icons/download';
import Upload from 'lucide-react/icons/upload';
import { href, Link } from 'react-router';
import { languages } from '#formats/language-facts.ts';
import type { Language } from '#formats/languages.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useConfirm } from '#web/admin/consequence-dialog.tsx';
import { TranslatedSharePane } from '#web/admin/texts/translated-share.tsx';
import { kindWord } from '#web/admin/texts/translation-words.ts';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { FileButton } from '#web/workshop/forms/file-button.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/translations';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return site.admin.texts.findTranslatedShare(viewer);
}

export default function AdminTranslations({ loaderData: share }: Route.ComponentProps) {
  const { counts, open: groups } = share;
  return (
    <>
      <WorkshopHead
        title={t`Translations`}
        facts={t`Texts of the site in its other languages. Without one, readers see the text as it was written (${{ language: share.source.name }}).`}
      />
      {counts.length === 0 ? (
        <p>
          {t`The site is in one language alone. Add languages in Settings.`}{' '}
          <Link className="ulink" to={`${href('/admin/settings')}#languages`}>
            {t`Settings`}
          </Link>
        </p>
      ) : (
        <div className="main-and-aside">
          <Pane title={t`Without a text, or with one to check again`}>
            {groups.length === 0 && <p className="text-muted">{t`All texts are translated.`}</p>}
            <ul>
              {groups.map(({ kind, subject, name, open }) => (
                <li
                  key={`${kind} ${subject}`}
                  className="flex min-h-11 items-center gap-3 border-t border-line py-2 first:border-0"
                >
                  <Link
                    className="tap ulink min-w-0 flex-1 wrap-anywhere"
                    to={href('/admin/translations/:kind/:subject', { kind, subject })}
                  >
                    {subject === 'all' ? kindWord(kind) : name}
                  </Link>
                  <span className="text-13 text-muted">{subject === 'all' ? '' : kindWord(kind)}</span>
                  <span className="w-24 text-end text-13 text-accent-text uppercase">{open.join(' ')}</span>
                </li>
              ))}
            </ul>
          </Pane>
          <aside className="stack" aria-label={t`Details`}>
            <TranslatedSharePane share={share} />
            <ForTranslators codes={counts.map(({ language }) => language)} />
          </aside>
        </div>
      )}
    </>
  );
}

type ForTranslatorsProps = { codes: Language[] };

/** All texts of a language as a file, to and from translators. */
function ForTranslators({ codes }: ForTranslatorsProps) {
  const { busy, call } = useCall();
  const { confirm, dialog } = useConfirm();

  /** Says what a file would do, before it does it. */
  async function plan(file: string): Promise<void> {
    const send = (isPlan: boolean) => () => api.admin.translations.import.$post({ json: { file, isPlan } });
    const planned = await call('plan', send(true));
    if (planned === undefined) return;
    const { language, added, changed, unchanged, unfinished } = planned.data;
    const { name } = languages[language];
    confirm({
      title: t`Import ${name}`,
      consequences: t`${plural(added, { one: '# text is new', other: '# texts are new' })}, ${plural(changed, { one: '# changes', other: '# change' })}, ${plural(unchanged, { one: '# is here already', other: '# are here already' })}, ${plural(unfinished, { one: '# is not finished and stays as it is', other: '# are not finished and stay as they are' })}.`,
      verb: t`Import texts`,
      isReady: added + changed > 0,
      onConfirm: () => call('import', send(false), { done: t`The texts are imported` }),
    });
  }

  return (
    <Pane title={t`For translators`}>
      <p className="text-14 text-muted">{t`A PO file has all texts, for Poedit, Weblate and others. Fuzzy ones are to be checked again.`}</p>
      <ul className="mt-2">
        {codes.map((code) => (
          <li key={code} className="flex min-h-11 items-center">
            <Link className="tap ulink text-14" to={`/admin/translations.po?language=${code}`} reloadDocument download>
              <span className="inline-flex items-center gap-2">
                <Icon of={Download} size={16} />
                <bdi lang={code}>{languages[code].name}</bdi>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <FileButton
        className="mt-3"
        size="sm"
        accept=".po,text/x-gettext-translation"
        fieldLabel={t`PO file`}
        busy={busy === 'plan' ? t`Reading…` : undefined}
        onFiles={([file]) => void file.text().then(plan)}
      >
        <Icon of={Upload} size={16} />
        {t`Import a file`}
      </FileButton>
      {dialog}
    </Pane>
  );
}
