import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Info from 'lucide-react/icons/info';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import Upload from 'lucide-react/icons/upload';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { uploadSteps } from '#domain/studio/rules.ts';
import type { ListedUpload } from '#domain/studio/uploads/uploads.ts';
import type { FacetField } from '#domain/catalogue/facets/facets.ts';
import type { LanguageChoice } from '#formats/language-names.ts';
import type { Commenters } from '#domain/catalogue/rules.ts';
import type { ManagedVoice } from '#domain/studio/voices.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { FileButton } from '../../workshop/forms/file-button.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import { soundFiles } from './check-upload-file.ts';
import { ListedRow } from './listed-upload-row.tsx';
import { LocalRow } from './local-upload-row.tsx';
import { type CategoryName, NewChoices, useNewChoices } from './new-upload-choices.tsx';
import { setPublication } from '../audios/publication-calls.ts';
import * as manager from './upload-manager.ts';
import { type LocalUpload, onAnnounce } from './local-uploads.ts';
import { fingerprintOf, recallUpload } from './remembered-uploads.ts';
import { useDroppedFiles } from './use-dropped-files.ts';
import { type UploadList, useListedUploads } from './use-listed-uploads.ts';
import { useLocalUploads } from './use-local-uploads.ts';

type UploadPageProps = {
  voice: ManagedVoice;
  list: UploadList;
  categories: CategoryName[];
  facets: FacetField[];
  /** Defaults for new audios of the voice. */
  newCommenters: Commenters;
  newLanguage: string;
  languages: LanguageChoice[];
  /** The audio whose file is replaced. */
  replaced: { id: string; title: string } | undefined;
};

export function UploadPage({
  voice,
  list,
  categories,
  facets,
  newCommenters,
  newLanguage,
  languages,
  replaced,
}: UploadPageProps) {
  const showToast = useToast();
  const [, setQuery] = useSearchParams();
  const [choices, setChoices] = useNewChoices(categories);
  const local = useLocalUploads().filter(({ voiceId }) => voiceId === voice.id);
  const isAwaiting = local.some(({ phase }) => phase.is === 'arrived');
  const { items, hasOlder, failure, look, showOlder } = useListedUploads(voice.id, list, isAwaiting);
  const listed = items.filter(({ id }) => !local.some((upload) => upload.id === id && upload.phase.is !== 'arrived'));
  // The site's own row replaces it.
  const arrived = local.filter(
    ({ id, phase }) => phase.is === 'arrived' && items.some((item) => item.id === id && item.state !== 'uploading'),
  );
  useEffect(() => {
    for (const { key } of arrived) manager.dismiss(key);
  });

  function add(files: File[]): void {
    if (files.length === 0) return;
    if (replaced === undefined) return void manager.addFiles(files, { voiceId: voice.id, choices });
    const [file, ...rest] = files;
    if (file === undefined || rest.length > 0) return showToast({ text: t`Choose one file to replace the recording.` });
    void manager.addFiles([file], { voiceId: voice.id, choices: {}, replaces: replaced.id, title: replaced.title });
    setQuery({}, { replace: true });
  }
  const isOver = useDroppedFiles(add);

  /** Shows a failure, and the site's current state. */
  async function act(sent: Promise<{ ok: true } | { ok: false; message: string }>): Promise<string | undefined> {
    const answer = await sent;
    await look();
    if (!answer.ok) showToast({ text: answer.message });
    return answer.ok ? undefined : answer.message;
  }
  const call = api.studio.uploads[':id'];
  const remove = (id: string) => act(answerOf(call.$delete({ param: { id } })));

  /** Resumes a stopped upload, or replaces a failed one. */
  async function takeFile(upload: ListedUpload, file: File): Promise<void> {
    const isStopped = upload.state === 'uploading';
    if (isStopped && !(await isFileOf(upload, file, voice.id)))
      return showToast({ text: t`This is a different file. Choose ${{ fileName: upload.fileName }} to resume.` });
    const isAccepted = await manager.addFiles([file], {
      voiceId: voice.id,
      choices: upload.choices,
      title: upload.title,
      replaces: replacedBy(upload),
      id: isStopped ? upload.id : undefined,
    });
    if (upload.state === 'failed' && isAccepted) void remove(upload.id);
  }

  const going = local.filter(({ phase }) => ['checking', 'waiting', 'uploading', 'lost'].includes(phase.is));
  const paused = local.filter(({ phase }) => phase.is === 'paused');

  return (
    <>
      <WorkshopHead
        title={replaced === undefined ? t`Upload` : t`Replace file`}
        facts={
          replaced === undefined
            ? t`WAV, FLAC, MP3, M4A or OGG, up to 2 GB each`
            : t`The next file replaces the recording of “${{ title: replaced.title }}”. Title, text and figures stay.`
        }
      />
      <Announcements />
      <div className="main-and-aside">
        <div className="stack">
          <div className="drop" data-over={isOver || undefined}>
            <Icon of={Upload} size={28} />
            <p>
              <b>{isOver ? t`Drop to upload` : t`Drop files here`}</b>
            </p>
            <p className="text-14">
              {replaced === undefined
                ? t`Titles are taken from the file names. You can change them during the upload.`
                : t`Listeners hear the old recording until the new one is ready.`}
            </p>
            <FileButton variant="primary" isMultiple={replaced === undefined} accept={soundFiles} onFiles={add}>
              {replaced === undefined ? t`Choose files` : t`Choose file`}
            </FileButton>
          </div>
          {local.length + listed.length > 0 && (
            <section aria-labelledby="uploads">
              <div className="workshop-section__head">
                <h2 id="uploads">
                  <Trans>Uploads</Trans>
                </h2>
                <p className="tabular-nums">{summary(local, listed)}</p>
                {going.length > 0 ? (
                  <Button variant="ghost" size="sm" onClick={() => manager.pauseAll()}>
                    <Icon of={Pause} size={18} />
                    <Trans>Pause all</Trans>
                  </Button>
                ) : (
                  paused.length > 1 && (
                    <Button variant="ghost" size="sm" onClick={() => manager.resumeAll()}>
                      <Icon of={Play} size={18} />
                      <Trans>Resume all</Trans>
                    </Button>
                  )
                )}
              </div>
              <ul className="grid gap-3">
                {local.map((upload) =>
                  arrived.includes(upload) ? null : <LocalRow key={`local ${upload.key}`} upload={upload} />,
                )}
                {listed.map((upload) => (
                  <ListedRow
                    key={upload.id}
                    upload={upload}
                    voiceSlug={voice.slug}
                    onRename={(title) => act(answerOf(call.$patch({ param: { id: upload.id }, json: { title } })))}
                    onScript={(script) => act(answerOf(call.$patch({ param: { id: upload.id }, json: { script } })))}
                    onRetry={() => void act(answerOf(call.retry.$post({ param: { id: upload.id } })))}
                    onRemove={() => void remove(upload.id)}
                    onPublish={() => upload.audioId && void act(setPublication(upload.audioId, { state: 'published' }))}
                    onFile={(file) => void takeFile(upload, file)}
                  />
                ))}
              </ul>
              {hasOlder && (
                <Button className="mt-4" onClick={() => void showOlder()}>
                  {t`Show older uploads`}
                </Button>
              )}
            </section>
          )}
          {failure !== undefined && (
            <p className="up-bad text-14" role="alert">
              <Trans>The list could not be refreshed: {failure}</Trans>
            </p>
          )}
        </div>
        <aside className="stack">
          {replaced === undefined && (
            <NewChoices
              {...{ choices, categories, facets, newCommenters, newLanguage, languages }}
              onChange={setChoices}
            />
          )}
          <Steps />
        </aside>
      </div>
    </>
  );
}

const replacedBy = ({ replaces, audioId }: ListedUpload) => (replaces ? (audioId ?? undefined) : undefined);

/**
 * Whether a stopped upload continues with this file. One that was changed after its upload began is another recording,
 * though its size may be the same; this device remembers its own uploads, whatever its clock says.
 */
async function isFileOf(upload: ListedUpload, file: File, voiceId: string): Promise<boolean> {
  if (file.name !== upload.fileName || file.size !== upload.bytes) return false;
  if (file.lastModified <= Date.parse(upload.createdAt)) return true;
  return (await recallUpload(fingerprintOf(file, voiceId, replacedBy(upload)))) === upload.id;
}

function summary(local: LocalUpload[], listed: ListedUpload[]): string {
  const needsYou =
    local.filter(({ phase }) => phase.is === 'refused' || phase.is === 'paused').length +
    listed.filter(({ state }) => state === 'failed' || state === 'uploading').length;
  const ready = listed.filter(({ state }) => state === 'ready').length;
  const all = local.length + listed.length;
  const moving = all - ready - needsYou;
  const parts = [
    ready > 0 && t`${ready} ready`,
    moving > 0 && t`${moving} on the way`,
    needsYou > 0 && plural({ count: needsYou }, { one: '# needs you', other: '# need you' }),
  ].filter((part) => part !== false);
  return t`${plural({ count: all }, { one: '# file', other: '# files' })}: ${{ states: parts.join(', ') }}`;
}

/** Ends and failures for screen readers, not every percent. */
function Announcements() {
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => onAnnounce(setAnnouncement), []);
  return <output className="sr-only">{announcement}</output>;
}

const stepTexts = () =>
  [
    [t`Reading.`, t`Length and format are read. Broken files are refused here.`],
    [t`Loudness.`, t`Evened out to −16 LUFS. Your original is kept.`],
    [t`Encoding.`, t`Listening files for slow and fast connections.`],
    [t`Waveform.`, t`Drawn from the sound, for the editor and the figures.`],
  ] as const satisfies { length: typeof uploadSteps.length };

function Steps() {
  return (
    <section className="pane" aria-labelledby="what-happens">
      <h2 id="what-happens" className="pane-subtitle mb-2.5">
        <Trans>What happens to a file</Trans>
      </h2>
      <ol className="text-14 grid gap-2.5 text-soft">
        {stepTexts().map(([name, text], index) => (
          <li key={name} className="grid grid-cols-[22px_1fr] gap-2">
            <span className="text-muted tabular-nums" aria-hidden="true">
              {index + 1}
            </span>
            <span>
              <b>{name}</b> <span className="text-muted">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      <div className="note note--info mt-4">
        <Icon of={Info} size={18} />
        <span className="text-13">
          <Trans>
            Uploads continue while you use other pages here. If you close the page, choose the same file again within
            seven days to resume the upload.
          </Trans>
        </span>
      </div>
    </section>
  );
}
