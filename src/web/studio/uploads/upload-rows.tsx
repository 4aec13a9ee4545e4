import { t } from '@lingui/core/macro';
import FileAudio from 'lucide-react/icons/file-headphone';
import { href, Link } from 'react-router';
import type { PendingUpload } from '#domain/studio/audios/audio-list.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { uploadDetailText } from '../../workshop/upload-detail-text.ts';
import { failureTexts } from '../../workshop/upload-failure-texts.ts';
import { UploadStateMark } from '../../workshop/state-mark.tsx';

function whatHappened({ failure, failureDetail }: PendingUpload): string | undefined {
  return uploadDetailText(failureDetail) ?? (failure === null ? undefined : failureTexts()[failure]);
}

/** Files that have not become audios yet, above the table; actions are on the upload page. */
export function UploadRows({ uploads, voiceSlug }: { uploads: PendingUpload[]; voiceSlug: string }) {
  if (uploads.length === 0) return null;
  return (
    <ul className="mb-4 grid gap-2" aria-label={t`Files that are not audios yet`}>
      {uploads.map((upload) => (
        <li key={upload.id} className={upload.state === 'failed' ? 'upload-row upload-row--bad' : 'upload-row'}>
          <span className="upload-row__icon">
            <Icon of={FileAudio} />
          </span>
          <span className="min-w-0">
            <b className="block truncate text-15" dir="auto">
              {upload.title}
            </b>
            <span className="upload-row__facts">{whatHappened(upload) ?? upload.fileName}</span>
          </span>
          <span className="upload-row__acts">
            <UploadStateMark state={upload.state} progress={upload.progress} />
            <Link
              className="btn btn--secondary btn--small"
              aria-label={t`Open ${{ title: upload.title }}`}
              to={href('/studio/:voice/upload', { voice: voiceSlug })}
            >
              {t({ message: 'Open', context: 'verb' })}
            </Link>
          </span>
        </li>
      ))}
    </ul>
  );
}
