import { href, Link } from 'react-router';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { MarkdownField } from '#web/admin/texts/markdown-field.tsx';
import { PlaceholderList } from '#web/admin/texts/placeholder-list.tsx';
import { RenderedText } from '#web/admin/texts/rendered-text.tsx';
import { TextState } from '#web/admin/texts/text-state.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { usePreview } from '#web/admin/texts/use-preview.ts';
import { answerOf, api } from '#web/api.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import type { Route } from './+types/info-page';

const names = ['about', 'terms', 'privacy'] as const;

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const name = orNotFound(names.find((one) => one === params.name));
  const stored = await site.admin.texts.findInfoText(viewer, name);
  const { title, description, html } = await site.editorial.findInfoPage(name);
  return { name, stored, page: { title, description, html } };
}

export function meta({ loaderData, ...args }: Route.MetaArgs) {
  if (loaderData === undefined) return pageMeta(args, undefined);
  return pageMeta(args, { title: loaderData.page.title, description: 'An info page', index: 'no' });
}

export default function AdminInfoPage({ loaderData }: Route.ComponentProps) {
  return <Editor key={loaderData.name} {...loaderData} />;
}

function Editor({ name, stored, page }: Route.ComponentProps['loaderData']) {
  const { busy, call } = useCall();
  const { revision } = stored;
  const edited = useEdited({
    key: `info ${name}`,
    subject: { type: 'settings', id: `info-${name}` },
    saved: { text: stored.text },
    send: ({ text }) => answerOf(api.admin['info-pages'][':name'].$put({ param: { name }, json: { text, revision } })),
  });
  const { text } = edited.values;
  const preview = usePreview(text, page, () =>
    answerOf(api.admin['info-pages'][':name'].preview.$post({ param: { name }, json: { text } })),
  );

  async function restoreDefault(): Promise<void> {
    const before = stored.text;
    const done = await call(
      'default',
      () => answerOf(api.admin['info-pages'][':name'].$put({ param: { name }, json: { text: null, revision } })),
      {
        done: 'The default text is restored',
        undo: () =>
          void call('undo', () =>
            answerOf(
              api.admin['info-pages'][':name'].$put({
                param: { name },
                json: { text: before, revision: revision + 1 },
              }),
            ),
          ),
      },
    );
    if (done !== undefined) edited.reset();
  }

  return (
    <>
      <AdminHead
        title={page.title}
        back={{ to: href('/admin/info-pages'), label: 'Info pages' }}
        facts={<TextState isChanged={stored.isChanged} />}
      >
        <Button render={<Link to={`/${name}`} />}>View page</Button>
        {stored.isChanged && (
          <Button busy={busy === 'default' ? 'Restoring…' : undefined} onClick={() => void restoreDefault()}>
            Restore the default text
          </Button>
        )}
      </AdminHead>
      <div className="main-and-aside">
        <MarkdownField
          label="Text"
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
        <aside className="stack" aria-label="Details">
          <PlaceholderList placeholders={stored.placeholders} />
        </aside>
      </div>
      <EditedBar edited={edited} />
    </>
  );
}
