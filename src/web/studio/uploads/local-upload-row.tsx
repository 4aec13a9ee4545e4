import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Clock from 'lucide-react/icons/clock';
import Pause from 'lucide-react/icons/pause';
import Upload from 'lucide-react/icons/upload';
import WifiOff from 'lucide-react/icons/wifi-off';
import X from 'lucide-react/icons/x';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import * as manager from './upload-manager.ts';
import type { LocalUpload } from './local-uploads.ts';
import { ProgressBar, TitleField, UploadPart } from './upload-part.tsx';
import { formatPart, formatRate, formatSize, formatTimeLeft } from './upload-texts.ts';
import { useNow } from './use-local-uploads.ts';

/** A file uploading from this document. */
export function LocalRow({ upload }: { upload: LocalUpload }) {
  const { key, file, phase, sent, rate, resumedAt, title } = upload;
  const now = useNow(phase.is === 'lost');
  const percent = Math.floor((sent * 100) / Math.max(1, file.size));
  const part = formatPart(sent, file.size);
  const { name: fileName } = file;
  const name = <TitleField fileName={fileName} title={title} onSave={(text) => manager.rename(key, text)} />;
  const cancel = <IconButton label={t`Cancel ${fileName}`} icon={X} onClick={() => void manager.cancel(key)} />;
  const bar = (label: string) => <ProgressBar label={label} percent={percent} />;
  const resume = (label: string) => (
    <Button size="sm" onClick={() => manager.resume(key)}>
      {label}
    </Button>
  );

  switch (phase.is) {
    case 'refused':
      return (
        <UploadPart
          tone="bad"
          icon={CircleAlert}
          name={<span className="truncate">{fileName}</span>}
          now={
            <span className="up-bad">
              <b>
                <Trans>Refused.</Trans>
              </b>{' '}
              {phase.reason}
            </span>
          }
          actions={
            <>
              {phase.canRetry && resume(t`Try again`)}
              <IconButton label={t`Remove ${fileName}`} icon={X} onClick={() => void manager.cancel(key)} />
            </>
          }
        />
      );
    case 'checking':
    case 'waiting':
      return (
        <UploadPart
          tone="wait"
          icon={Clock}
          name={name}
          now={phase.is === 'checking' ? t`Checking` : t`Waiting`}
          facts={[
            formatSize(file.size),
            plural({ count: manager.maxAtOnce }, { one: '# file at a time', other: '# files at a time' }),
          ]}
          actions={cancel}
        />
      );
    case 'uploading': {
      const isMeasured = rate !== undefined && rate > 0;
      return (
        <UploadPart
          tone="go"
          icon={Upload}
          name={name}
          now={t`Uploading ${percent}%`}
          facts={[
            part,
            resumedAt === undefined ? undefined : t`continued at ${resumedAt}%`,
            isMeasured ? formatRate(rate) : undefined,
            isMeasured ? formatTimeLeft((file.size - sent) / rate) : undefined,
          ]}
          actions={
            <>
              <IconButton label={t`Pause ${fileName}`} icon={Pause} onClick={() => manager.pause(key)} />
              {cancel}
            </>
          }
        >
          {bar(t`${fileName}, uploading`)}
        </UploadPart>
      );
    }
    case 'lost': {
      const seconds = Math.max(0, Math.ceil((phase.retryAt - now) / 1000));
      return (
        <UploadPart
          tone="stop"
          icon={WifiOff}
          name={name}
          now={t`${{ reason: phase.reason }} at ${percent}%`}
          facts={[t`${part} are safe`, seconds === 0 ? t`trying again` : t`trying again in ${seconds} sec`]}
          actions={
            <>
              {resume(t`Resume now`)}
              {cancel}
            </>
          }
        >
          {bar(t`${fileName}, interrupted`)}
        </UploadPart>
      );
    }
    case 'paused':
      return (
        <UploadPart
          tone="stop"
          icon={Pause}
          name={name}
          now={t`Paused at ${percent}%`}
          facts={[part, phase.reason]}
          actions={
            <>
              {resume(t({ message: 'Resume', context: 'an upload' }))}
              {cancel}
            </>
          }
        >
          {bar(t`${fileName}, paused`)}
        </UploadPart>
      );
    case 'arrived':
      return (
        <UploadPart
          tone="go"
          icon={Upload}
          name={name}
          now={t`Uploaded`}
          facts={[formatSize(file.size), t`waiting to be processed`]}
        >
          {bar(t`${fileName}, uploaded`)}
        </UploadPart>
      );
  }
}
