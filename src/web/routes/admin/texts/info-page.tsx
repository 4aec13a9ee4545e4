import { t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { titled } from '#web/workshop/titled.ts';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { MarkdownField } from '#web/admin/texts/markdown-field.tsx';
import { RenderedText } from '#web/admin/texts/rendered-text.tsx';
import { PlaceholderList, RestoreDefault, TextState } from '#web/admin/texts/site-text.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { usePreview } from '#web/admin/texts/use-preview.ts';
import { answerOf, api } from '#web/api.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { TranslationsLink, UntranslatedNote } from '#web/admin/texts/translations-link.tsx';
import type { Route } from './+types/info-page';

const names = ['about', 'terms', 'privacy'] as const;

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const name = orNotFound(names.find((one) => one === params.name));
  const stored = await site.admin.texts.findInfoText(viewer, name);
  const { title, description, html } = await site.editorial.previewInfoPage(name, stored.text);
  const untranslated = await site.admin.texts.findUntranslated(viewer, 'info', name);
  return { name, stored, untranslated, page: { title, description, html } };
}

export const meta = titled(({ page }: Route.ComponentProps['loaderData']) => page.title);

export default function AdminInfoPage({ loaderData: { name, stored, untranslated, page } }: Route.ComponentProps) {
  const put = (json: { text: string | null; revision: number }) =>
    api.admin['info-pages'][':name'].$put({ param: { name }, json });
  const edited = useEdited({
    key: `info ${name}`,
    subject: { type: 'settings', id: `info-${name}` },
    saved: { text: stored.text },
    send: ({ text }) => answerOf(put({ text, revision: stored.revision })),
  });
  const { text } = edited.values;
  const preview = usePreview(text, page, () =>
    answerOf(api.admin['info-pages'][':name'].preview.$post({ param: { name }, json: { text } })),
  );

  return (
    <>
      <WorkshopHead
        title={page.title}
        back={{ to: href('/admin/info-pages'), label: t`Info pages` }}
        facts={<TextState isChanged={stored.isChanged} />}
      >
        <TranslationsLink kind="info" subject={name} />
        <Button render={<Link to={`/${name}`} />}>{t`View page`}</Button>
        {stored.isChanged && <RestoreDefault stored={stored} put={put} onDone={edited.reset} />}
      </WorkshopHead>
      <UntranslatedNote codes={untranslated} />
      <div className="main-and-aside">
        <MarkdownField
          label={t`Text`}
          value={text}
          maxLength={stored.maxLength}
          onChange={(next) => edited.change({ text: next })}
          onSave={() => void edited.save()}
          error={preview.error}
          preview={
            <>
              <p className="pane-title">{preview.data.title}</p>
              <p className="mt-2 text-soft">{preview.data.description}</p>
              <RenderedText className="prose prose--page" html={preview.data.html} />
            </>
          }
        />
        <PlaceholderList placeholders={stored.placeholders} />
      </div>
      <EditedBar edited={edited} />
    </>
  );
}
