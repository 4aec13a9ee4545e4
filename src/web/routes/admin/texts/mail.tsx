import { useState } from 'react';
import { href } from 'react-router';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { PlaceholderList } from '#web/admin/texts/placeholder-list.tsx';
import { TextState } from '#web/admin/texts/text-state.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { usePreview } from '#web/admin/texts/use-preview.ts';
import { answerOf, api } from '#web/api.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import type { Route } from './+types/mail';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const mail = orNotFound(await site.admin.texts.findMailText(viewer, params.key));
  return { mail, preview: site.admin.texts.previewMailText(viewer, params.key, mail.text) };
}

export function meta({ loaderData, ...args }: Route.MetaArgs) {
  if (loaderData === undefined) return pageMeta(args, undefined);
  return pageMeta(args, { title: loaderData.mail.name, description: loaderData.mail.when, index: 'no' });
}

export default function AdminMail({ loaderData }: Route.ComponentProps) {
  return <Editor key={loaderData.mail.key} {...loaderData} />;
}

function Editor({ mail, preview: first }: Route.ComponentProps['loaderData']) {
  const { busy, call } = useCall();
  const { key, revision, isChanged, lengths } = mail;
  const [isText, setIsText] = useState(false);
  const edited = useEdited({
    key: `mail ${key}`,
    subject: { type: 'settings', id: `mail-${key}` },
    saved: mail.text,
    send: (text) => answerOf(api.admin.mails[':key'].$put({ param: { key }, json: { text, revision } })),
  });
  const { values, change } = edited;
  const preview = usePreview(JSON.stringify(values), first, () =>
    answerOf(api.admin.mails[':key'].preview.$post({ param: { key }, json: values })),
  );

  async function restoreDefault(): Promise<void> {
    const before = mail.text;
    const done = await call(
      'default',
      () => answerOf(api.admin.mails[':key'].$put({ param: { key }, json: { text: null, revision } })),
      {
        done: 'The default text is restored',
        undo: () =>
          void call('undo', () =>
            answerOf(api.admin.mails[':key'].$put({ param: { key }, json: { text: before, revision: revision + 1 } })),
          ),
      },
    );
    if (done !== undefined) edited.reset();
  }

  return (
    <>
      <AdminHead
        title={mail.name}
        back={{ to: href('/admin/mails'), label: 'Mails' }}
        facts={
          <span className="flex flex-wrap items-center gap-3">
            <TextState isChanged={isChanged} />
            {mail.when}
          </span>
        }
      >
        {isChanged && (
          <Button busy={busy === 'default' ? 'Restoring…' : undefined} onClick={() => void restoreDefault()}>
            Restore the default text
          </Button>
        )}
      </AdminHead>
      <div className="main-and-aside">
        <div className="stack">
          <form
            className="field-list"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void edited.save();
            }}
          >
            <Field
              label="Subject"
              value={values.subject}
              maxLength={lengths.subject}
              length={[...values.subject].length}
              onChange={(event) => change({ subject: event.target.value })}
            />
            <TextArea
              label="Text"
              rows={10}
              value={values.body}
              maxLength={lengths.body}
              length={[...values.body].length}
              onChange={(event) => change({ body: event.target.value })}
            />
            <p className="hint">
              An empty line begins a new paragraph. A button stands on a line of its own:{' '}
              <code>{'[Words]({link})'}</code>
            </p>
            <TextArea
              label="Small print"
              isOptional
              rows={2}
              value={values.closing}
              maxLength={lengths.closing}
              length={[...values.closing].length}
              onChange={(event) => change({ closing: event.target.value })}
            />
          </form>
          <section aria-labelledby="preview">
            <div className="workshop-section__head">
              <h2 id="preview">Preview with samples</h2>
              <span className="chips noscript:hidden">
                <button type="button" className="chip" aria-pressed={!isText} onClick={() => setIsText(false)}>
                  HTML
                </button>
                <button type="button" className="chip" aria-pressed={isText} onClick={() => setIsText(true)}>
                  Plain text
                </button>
              </span>
            </div>
            <p className="font-semibold mb-2 wrap-anywhere">{preview.data.subject}</p>
            {isText ? (
              <pre className="pane text-14 whitespace-pre-wrap wrap-anywhere">{preview.data.text}</pre>
            ) : (
              <iframe
                className="block w-full h-140 border-0 rounded-card bg-[#141012]"
                title="The mail as HTML"
                sandbox=""
                srcDoc={preview.data.html}
              />
            )}
            <output className={preview.error === undefined ? 'sr-only' : 'err mt-2'}>{preview.error}</output>
          </section>
        </div>
        <aside className="stack" aria-label="Details">
          <PlaceholderList placeholders={mail.placeholders} />
        </aside>
      </div>
      <EditedBar edited={edited} />
    </>
  );
}
