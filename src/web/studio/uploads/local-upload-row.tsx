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
import { Now, ProgressBar, TitleField, UploadPart } from './upload-part.tsx';
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

  switch (phase.is) {
    case 'refused':
      return (
        <UploadPart
          tone="bad"
          icon={CircleAlert}
          name={<span className="truncate">{file.name}</span>}
          facts={[
            <span key="why" className="up-bad">
              <b>Refused.</b> {phase.reason}
            </span>,
          ]}
          actions={
            <>
              {phase.canRetry && (
                <Button size="sm" onClick={() => manager.resume(key)}>
                  Try again
                </Button>
              )}
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
          facts={[
            <Now key="is">{phase.is === 'checking' ? 'Checking' : 'Waiting'}</Now>,
            formatSize(file.size),
            `${countOf(manager.maxAtOnce, 'file')} at a time`,
          ]}
          actions={cancel}
        />
      );
    case 'uploading':
      return (
        <UploadPart
          tone="go"
          icon={Upload}
          name={name}
          facts={[
            <Now key="is">Uploading {percent}%</Now>,
            part,
            ...(resumedAt === undefined ? [] : [`continued at ${resumedAt}%`]),
            ...(rate === undefined || rate <= 0 ? [] : [formatRate(rate), formatTimeLeft((file.size - sent) / rate)]),
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
    case 'lost': {
      const seconds = Math.max(0, Math.ceil((phase.retryAt - now) / 1000));
      return (
        <UploadPart
          tone="stop"
          icon={WifiOff}
          name={name}
          facts={[
            <Now key="is">
              {phase.reason} at {percent}%
            </Now>,
            `${part} are safe`,
            seconds === 0 ? 'trying again' : `trying again in ${seconds} sec`,
          ]}
          actions={
            <>
              <Button size="sm" onClick={() => manager.resume(key)}>
                Resume now
              </Button>
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
          facts={[
            <Now key="is">Paused at {percent}%</Now>,
            part,
            ...(phase.reason === undefined ? [] : [phase.reason]),
          ]}
          actions={
            <>
              <Button size="sm" onClick={() => manager.resume(key)}>
                Resume
              </Button>
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
          facts={[<Now key="is">Uploaded</Now>, formatSize(file.size), 'waiting to be processed']}
        >
          {bar('uploaded')}
        </UploadPart>
      );
  }
}
