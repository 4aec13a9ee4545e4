import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Form } from '#web/workshop/form.tsx';
import { useState } from 'react';
import { href } from 'react-router';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { titled } from '#web/workshop/titled.ts';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { PlaceholderList, RestoreDefault, TextState } from '#web/admin/texts/site-text.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { usePreview } from '#web/admin/texts/use-preview.ts';
import { answerOf, api } from '#web/api.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { TranslationsLink, UntranslatedNote } from '#web/admin/texts/translations-link.tsx';
import type { Route } from './+types/mail';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const mail = orNotFound(await site.admin.texts.findMailText(viewer, params.key));
  const untranslated = await site.admin.texts.findUntranslated(viewer, 'mail', params.key);
  return { mail, untranslated, preview: site.admin.texts.previewMailText(viewer, params.key, mail.text) };
}

export const meta = titled(({ mail }: Route.ComponentProps['loaderData']) => mail.name);

export default function AdminMail({ loaderData: { mail, untranslated, preview: first } }: Route.ComponentProps) {
  const { key, lengths } = mail;
  const button = `[${t`Words`}]({link})`;
  const put = (json: { text: typeof mail.text | null; revision: number }) =>
    api.admin.mails[':key'].$put({ param: { key }, json });
  const [isText, setIsText] = useState(false);
  const edited = useEdited({
    key: `mail ${key}`,
    subject: { type: 'settings', id: `mail-${key}` },
    saved: mail.text,
    send: (text) => answerOf(put({ text, revision: mail.revision })),
  });
  const { values, change } = edited;
  const preview = usePreview(JSON.stringify(values), first, () =>
    answerOf(api.admin.mails[':key'].preview.$post({ param: { key }, json: values })),
  );

  return (
    <>
      <WorkshopHead
        title={mail.name}
        back={{ to: href('/admin/mails'), label: t`Mails` }}
        facts={
          <span className="flex flex-wrap items-center gap-3">
            <TextState isChanged={mail.isChanged} />
            {mail.when}
          </span>
        }
      >
        <TranslationsLink kind="mail" subject={key} />
        {mail.isChanged && <RestoreDefault stored={mail} put={put} onDone={edited.reset} />}
      </WorkshopHead>
      <UntranslatedNote codes={untranslated} />
      <div className="main-and-aside">
        <div className="stack">
          <Form onSubmit={() => void edited.save()}>
            <Field
              label={t`Subject`}
              value={values.subject}
              maxLength={lengths.subject}
              onChange={(event) => change({ subject: event.target.value })}
            />
            <TextArea
              label={t`Text`}
              rows={10}
              value={values.body}
              maxLength={lengths.body}
              onChange={(event) => change({ body: event.target.value })}
            />
            <p className="hint">
              <Trans>
                An empty line begins a new paragraph. A button stands on a line of its own: <code>{button}</code>
              </Trans>
            </p>
            <TextArea
              label={t`Small print`}
              isOptional
              rows={2}
              value={values.closing}
              maxLength={lengths.closing}
              onChange={(event) => change({ closing: event.target.value })}
            />
          </Form>
          <section aria-labelledby="preview">
            <div className="workshop-section__head">
              <h2 id="preview">
                <Trans>Preview with samples</Trans>
              </h2>
              <span className="chips noscript:hidden">
                <button type="button" className="chip" aria-pressed={!isText} onClick={() => setIsText(false)}>
                  <Trans>HTML</Trans>
                </button>
                <button type="button" className="chip" aria-pressed={isText} onClick={() => setIsText(true)}>
                  <Trans>Plain text</Trans>
                </button>
              </span>
            </div>
            <p className="font-semibold mb-2 wrap-anywhere">{preview.data.subject}</p>
            {isText ? (
              <pre className="pane text-14 whitespace-pre-wrap wrap-anywhere">{preview.data.text}</pre>
            ) : (
              <iframe
                className="block w-full h-140 border-0 rounded-card bg-[#141012]"
                title={t`The mail as HTML`}
                sandbox=""
                srcDoc={preview.data.html}
              />
            )}
            <output className={preview.error === undefined ? 'sr-only' : 'err mt-2'}>{preview.error}</output>
          </section>
        </div>
        <PlaceholderList placeholders={mail.placeholders} />
      </div>
      <EditedBar edited={edited} />
    </>
  );
}
