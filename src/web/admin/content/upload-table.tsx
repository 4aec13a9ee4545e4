/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- as cards on a phone, table elements lose their roles */
import { href, Link, useRevalidator } from 'react-router';
import type { AdminUpload } from '#domain/admin/content/uploads.ts';
import { answerOf, api } from '../../api.ts';
import { failureTexts } from '../../workshop/upload-failure-texts.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import { UploadStateMark } from '../../workshop/state-mark.tsx';

/** Files of all creators that have not become audios yet. @param now the server's time in milliseconds */
export function UploadTable({ uploads, now }: { uploads: AdminUpload[]; now: number }) {
  const showToast = useToast();
  const { revalidate } = useRevalidator();

  async function retry({ id, title }: AdminUpload): Promise<void> {
    const answer = await answerOf(api.studio.uploads[':id'].retry.$post({ param: { id } }));
    showToast({ text: answer.ok ? `“${title}” is processed again` : answer.message });
    await revalidate();
  }

  return (
    <table className="data-table data-table--cards" role="table">
      <caption className="sr-only">Uploads</caption>
      <thead role="rowgroup">
        <tr role="row">
          {['Upload', 'Creator', 'State', 'Since'].map((head) => (
            <th key={head} scope="col" role="columnheader">
              {head}
            </th>
          ))}
          <th scope="col" role="columnheader">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {uploads.map((upload) => (
          <tr key={upload.id} role="row">
            <td role="cell" className="main">
              <Link dir="auto" to={href('/studio/:voice/upload', { voice: upload.voice.slug })}>
                {upload.title}
              </Link>
              <small>{upload.fileName}</small>
              {upload.failure !== null && <small className="text-danger">{failureTexts[upload.failure]}</small>}
            </td>
            <td role="cell" data-l="Creator">
              {upload.voice.name}
            </td>
            <td role="cell" data-l="State">
              <UploadStateMark state={upload.state} progress={upload.progress} />
            </td>
            <td role="cell" data-l="Since" className="whitespace-nowrap text-muted">
              <LocalTime at={upload.changedAt} now={now} style="moment" />
            </td>
            <td role="cell" className="number">
              {upload.isRetriable && (
                <Button size="sm" aria-label={`Try again: ${upload.title}`} onClick={() => void retry(upload)}>
                  Try again
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
