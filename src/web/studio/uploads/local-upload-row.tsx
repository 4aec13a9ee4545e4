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
import { countOf } from '#formats/numbers.ts';

/** A file uploading from this document. */
export function LocalRow({ upload }: { upload: LocalUpload }) {
  const { key, file, phase, sent, rate, resumedAt, title } = upload;
  const now = useNow(phase.is === 'lost');
  const percent = Math.floor((sent * 100) / Math.max(1, file.size));
  const part = formatPart(sent, file.size);
  const name = <TitleField fileName={file.name} title={title} onSave={(text) => manager.rename(key, text)} />;
  const cancel = <IconButton label={`Cancel ${file.name}`} icon={X} onClick={() => void manager.cancel(key)} />;
  const bar = (state: string) => <ProgressBar label={`${file.name}, ${state}`} percent={percent} />;
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
          name={<span className="truncate">{file.name}</span>}
          now={
            <span className="up-bad">
              <b>Refused.</b> {phase.reason}
            </span>
          }
          actions={
            <>
              {phase.canRetry && resume('Try again')}
              <IconButton label={`Remove ${file.name}`} icon={X} onClick={() => void manager.cancel(key)} />
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
          now={phase.is === 'checking' ? 'Checking' : 'Waiting'}
          facts={[formatSize(file.size), `${countOf(manager.maxAtOnce, 'file')} at a time`]}
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
          now={`Uploading ${percent}%`}
          facts={[
            part,
            resumedAt === undefined ? undefined : `continued at ${resumedAt}%`,
            isMeasured ? formatRate(rate) : undefined,
            isMeasured ? formatTimeLeft((file.size - sent) / rate) : undefined,
          ]}
          actions={
            <>
              <IconButton label={`Pause ${file.name}`} icon={Pause} onClick={() => manager.pause(key)} />
              {cancel}
            </>
          }
        >
          {bar('uploading')}
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
          now={`${phase.reason} at ${percent}%`}
          facts={[`${part} are safe`, seconds === 0 ? 'trying again' : `trying again in ${seconds} sec`]}
          actions={
            <>
              {resume('Resume now')}
              {cancel}
            </>
          }
        >
          {bar('interrupted')}
        </UploadPart>
      );
    }
    case 'paused':
      return (
        <UploadPart
          tone="stop"
          icon={Pause}
          name={name}
          now={`Paused at ${percent}%`}
          facts={[part, phase.reason]}
          actions={
            <>
              {resume('Resume')}
              {cancel}
            </>
          }
        >
          {bar('paused')}
        </UploadPart>
      );
    case 'arrived':
      return (
        <UploadPart
          tone="go"
          icon={Upload}
          name={name}
          now="Uploaded"
          facts={[formatSize(file.size), 'waiting to be processed']}
        >
          {bar('uploaded')}
        </UploadPart>
      );
  }
}
