import FileAudio from 'lucide-react/icons/file-headphone';
import { href, Link } from 'react-router';
import type { PendingUpload } from '#domain/studio/audios/audio-list.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { UploadStateMark } from '../../workshop/state-mark.tsx';

/** Files that have not become audios yet, above the table; actions are on the upload page. */
export function UploadRows({ uploads, voiceSlug }: { uploads: PendingUpload[]; voiceSlug: string }) {
  if (uploads.length === 0) return null;
  return (
    <ul className="mb-4 grid gap-2" aria-label="Files that are not audios yet">
      {uploads.map((upload) => (
        <li key={upload.id} className={upload.state === 'failed' ? 'upr upr--bad' : 'upr'}>
          <span className="upr__i">
            <Icon of={FileAudio} />
          </span>
          <span className="min-w-0">
            <b className="upr__n block truncate" dir="auto">
              {upload.title}
            </b>
            <span className="upr__m">{upload.failureDetail ?? upload.fileName}</span>
          </span>
          <span className="upr__a">
            <UploadStateMark state={upload.state} progress={upload.progress} />
            <Link className="btn btn--s btn--sm" to={href('/studio/:voice/upload', { voice: voiceSlug })}>
              Open<span className="sr-only"> {upload.title}</span>
            </Link>
          </span>
        </li>
      ))}
    </ul>
  );
}
