import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import Check from 'lucide-react/icons/check';
import { agreementLength } from '#domain/verification/rules.ts';
import { formatDate } from '#formats/times.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useConfirm } from '#web/admin/consequence-dialog.tsx';
import { TranslationsLink } from '#web/admin/texts/translations-link.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { Timeline } from '#web/workshop/facts.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/agreement';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return site.admin.texts.listAgreements(viewer);
}

/** The creator agreement: its versions, and a new one. */
export default function AdminAgreement({ loaderData: { versions, suggested } }: Route.ComponentProps) {
  const [current] = versions;
  // Begins anew with the text that was just published.
  return <Editor key={current?.version ?? 0} versions={versions} start={current?.text ?? suggested} />;
}

/** Stands for the name in the text. */
const nameOfSite = '{site}';

type EditorProps = { versions: Route.ComponentProps['loaderData']['versions']; start: string };

function Editor({ versions, start }: EditorProps) {
  const { busy, call } = useCall();
  const { confirm, dialog } = useConfirm();
  const [text, setText] = useState(start);
  const [current] = versions;
  const next = (current?.version ?? 0) + 1;
  const isChanged = current === undefined || text.trim() !== current.text;

  const publish = () =>
    confirm({
      title: t`Publish version ${next}`,
      consequences: t`Owners are asked to agree before their next publication, if you switched that on in the settings. What is online stays online. A version cannot be changed afterwards.`,
      verb: t`Publish`,
      onConfirm: () =>
        call('publish', () => api.admin['creator-agreements'].$post({ json: { text, version: next } }), {
          done: t`Version ${next} is in force`,
        }),
    });

  return (
    <>
      <WorkshopHead
        title={t`Creator agreement`}
        facts={
          current === undefined
            ? t`Not published. Creators are asked for no agreement.`
            : t`Version ${current.version}, in force since ${{ day: formatDate(current.publishedAt) }}`
        }
      >
        {current !== undefined && <TranslationsLink kind="agreement" subject={String(current.version)} />}
      </WorkshopHead>
      <div className="main-and-aside">
        <Pane title={t`Text`}>
          <TextArea
            label={current === undefined ? t`A text to begin with` : t`Text of the next version`}
            rows={24}
            value={text}
            maxLength={agreementLength}
            onChange={({ target }) => setText(target.value)}
          />
          <p className="hint mt-2 mb-4">
            {t`Paragraphs stand between empty lines, headings begin with “##”. ${nameOfSite} is the name of the site. Not legal advice: let a lawyer read it.`}
          </p>
          <Button
            variant="primary"
            disabled={!isChanged || text.trim() === ''}
            busy={busy === 'publish' ? t`Publishing…` : undefined}
            onClick={publish}
          >
            {t`Publish version ${next}`}
          </Button>
        </Pane>
        <aside aria-label={t`Versions`}>
          <Pane title={t`Versions`}>
            {versions.length === 0 ? (
              <p className="text-14 text-muted">{t`None yet`}</p>
            ) : (
              <Timeline
                moments={versions.map(({ version, publishedAt, publishedBy, creators }) => ({
                  key: String(version),
                  icon: Check,
                  title: t`Version ${version}`,
                  at: publishedAt,
                  note:
                    publishedBy === null
                      ? plural(creators, { one: '# agreed', other: '# agreed' })
                      : t`By ${publishedBy}. ${plural(creators, { one: '# agreed', other: '# agreed' })}.`,
                }))}
              />
            )}
          </Pane>
        </aside>
      </div>
      {dialog}
    </>
  );
}
