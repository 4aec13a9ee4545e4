import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import AudioLines from 'lucide-react/icons/audio-lines';
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check-big';
import Clock from 'lucide-react/icons/clock';
import Pause from 'lucide-react/icons/pause';
import X from 'lucide-react/icons/x';
import type { CSSProperties, ReactNode } from 'react';
import { href, Link } from 'react-router';
import { type UploadStep, endsEarlyText, uploadSteps } from '#domain/studio/rules.ts';
import type { ListedUpload } from '#domain/studio/uploads/uploads.ts';
import { formatPercent } from '#formats/decimals.ts';
import { formatTime } from '#formats/durations.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { RecordingWaveform } from '../../workshop/charts/recording-waveform.tsx';
import { FileButton } from '../../workshop/forms/file-button.tsx';
import { soundFiles } from './check-upload-file.ts';
import { ProgressBar, TitleField, UploadPart } from './upload-part.tsx';
import { UploadScript } from './upload-script.tsx';
import { uploadDetailText } from '../../workshop/upload-detail-text.ts';
import { failureTexts } from '../../workshop/upload-failure-texts.ts';
import { formatAboutLeft, formatLevel, formatLoudness, formatSampleRate, formatSize } from './upload-texts.ts';

type ListedRowProps = {
  upload: ListedUpload;
  voiceSlug: string;
  onRename(title: string): Promise<string | undefined>;
  /** @param script null removes it @returns the error message, if it was not saved */
  onScript(script: string | null): Promise<string | undefined>;
  onRetry(): void;
  onRemove(): void;
  onPublish(): void;
  /** A file was chosen to resume this upload, or to replace it. */
  onFile(file: File): void;
};

/** An upload on the site. */
export function ListedRow(props: ListedRowProps) {
  const { upload, voiceSlug, onRename, onScript, onRetry, onRemove, onPublish, onFile } = props;
  const { fileName, title, bytes, state, progress, facts, audioId } = upload;
  const name = <TitleField fileName={fileName} title={title} onSave={onRename} />;
  const remove = <IconButton label={t`Remove ${fileName}`} icon={X} onClick={onRemove} />;
  const script = !upload.replaces && <UploadScript fileName={fileName} lines={upload.scriptLines} onSave={onScript} />;
  switch (state) {
    case 'uploading':
      return (
        <UploadPart
          tone="stop"
          icon={Pause}
          name={name}
          now={upload.isOwn ? t`Stopped at ${progress}%` : t`${progress}% uploaded by someone else`}
          facts={[formatSize(bytes), upload.isOwn ? t`choose ${fileName} again to resume` : undefined]}
          actions={
            <>
              {upload.isOwn && (
                <FileButton
                  size="sm"
                  aria-label={t`Choose ${fileName} again`}
                  accept={soundFiles}
                  onFiles={([file]) => onFile(file)}
                >
                  {t`Choose file`}
                </FileButton>
              )}
              {remove}
            </>
          }
        >
          <ProgressBar label={t`${fileName}, stopped`} percent={progress} />
          {script}
        </UploadPart>
      );
    case 'waiting':
      return (
        <UploadPart
          tone="wait"
          icon={Clock}
          name={name}
          now={t`Waiting to be processed`}
          facts={[formatSize(bytes), uploadDetailText(upload.failureDetail) ?? t`you can leave this page`]}
          actions={remove}
        >
          {script}
        </UploadPart>
      );
    case 'processing':
      return (
        <UploadPart
          tone="go"
          icon={AudioLines}
          name={name}
          now={t`Processing`}
          facts={[
            upload.secondsLeft === null ? formatSize(bytes) : formatAboutLeft(upload.secondsLeft),
            t`you can leave this page`,
          ]}
          actions={<IconButton label={t`Cancel ${fileName}`} icon={X} onClick={onRemove} />}
        >
          <Steps step={upload.step ?? 'reading'} progress={progress} facts={facts} />
          {script}
        </UploadPart>
      );
    case 'ready':
      return (
        <UploadPart
          tone="ok"
          icon={CircleCheck}
          name={<span className="truncate">{title}</span>}
          now={
            <b className="text-success">
              <Trans>Ready</Trans>
            </b>
          }
          facts={[
            facts.durationMs === undefined ? undefined : formatTime(Math.round(facts.durationMs / 1000)),
            facts.loudnessAfter === undefined ? undefined : formatLoudness(facts.loudnessAfter),
            upload.replaces ? t`the file was replaced` : upload.isPublished ? t`published` : t`saved as a draft`,
          ]}
          actions={
            <>
              {audioId !== null && (
                <Button
                  size="sm"
                  render={
                    <Link
                      to={href('/studio/:voice/audios/:id', { voice: voiceSlug, id: audioId })}
                      aria-label={t`Edit ${title}`}
                    />
                  }
                >
                  {t`Edit`}
                </Button>
              )}
              {audioId !== null && !upload.isPublished && (
                <Button size="sm" aria-label={t`Publish ${title}`} onClick={onPublish}>
                  {t`Publish`}
                </Button>
              )}
              <IconButton label={t`Remove ${title} from this list`} icon={X} onClick={onRemove} />
            </>
          }
        >
          {facts.missingSeconds !== undefined && (
            <div className="col-[2/-1] max-md:col-span-full">
              <Note tone="error">{endsEarlyText(facts.missingSeconds)}</Note>
            </div>
          )}
          {upload.outline !== null && (
            <div className="col-[2/-1] max-md:col-span-full">
              <div className="sound-wave sound-wave--small">
                <RecordingWaveform peaks={upload.outline} />
              </div>
            </div>
          )}
        </UploadPart>
      );
    case 'failed': {
      const failure = upload.failure ?? 'failed';
      return (
        <UploadPart
          tone="bad"
          icon={CircleAlert}
          name={<span className="truncate">{fileName}</span>}
          now={
            <span className="up-bad">
              <b>
                <Trans>Not processed.</Trans>
              </b>{' '}
              {uploadDetailText(upload.failureDetail) ?? failureTexts()[failure]}
            </span>
          }
          actions={
            <>
              {upload.isRetriable ? (
                <Button size="sm" aria-label={t`Try again: ${fileName}`} onClick={onRetry}>
                  {t`Try again`}
                </Button>
              ) : (
                <FileButton
                  size="sm"
                  aria-label={t`Choose another file for ${title}`}
                  accept={soundFiles}
                  onFiles={([file]) => onFile(file)}
                >
                  {t`Choose another file`}
                </FileButton>
              )}
              {remove}
            </>
          }
        />
      );
    }
  }
}

const stepNames: Record<UploadStep, () => string> = {
  reading: () => t({ message: 'Reading', context: 'step' }),
  loudness: () => t`Loudness`,
  encoding: () => t`Encoding`,
  waveform: () => t`Waveform`,
};

function Steps({ step, progress, facts }: { step: UploadStep; progress: number; facts: ListedUpload['facts'] }) {
  const current = uploadSteps.indexOf(step);
  return (
    <ol className="steps col-[2/-1] max-md:col-span-full">
      {uploadSteps.map((one, index) => {
        const isNow = index === current;
        const style = isNow ? ({ '--p': `${progress}%` } as CSSProperties) : undefined;
        return (
          <li
            key={one}
            className={index < current ? 'done' : isNow ? 'now' : undefined}
            style={style}
            aria-current={isNow ? 'step' : undefined}
          >
            <b>
              {index < current && <Icon of={Check} size={16} />}
              {stepNames[one]()}
              {isNow && ` ${formatPercent(progress)}`}
            </b>
            {index > current ? t`Waiting` : resultOf(one, facts)}
          </li>
        );
      })}
    </ol>
  );
}

/** Result of a finished step. */
function resultOf(step: UploadStep, facts: ListedUpload['facts']): ReactNode {
  const { durationMs, channels, sampleRate, loudnessBefore, loudnessAfter } = facts;
  if (step === 'reading' && durationMs !== undefined)
    return [
      formatTime(Math.round(durationMs / 1000)),
      channels && channelsText(channels),
      sampleRate && formatSampleRate(sampleRate),
    ]
      .filter(Boolean)
      .join(', ');
  if (step === 'loudness' && loudnessBefore !== undefined)
    return loudnessAfter === undefined
      ? formatLoudness(loudnessBefore)
      : t`${{ before: formatLevel(loudnessBefore) }} to ${{ after: formatLoudness(loudnessAfter) }}`;
  return null;
}

function channelsText(channels: number): string {
  if (channels === 1) return t`mono`;
  return channels === 2 ? t`stereo` : plural({ count: channels }, { one: '# channel', other: '# channels' });
}
