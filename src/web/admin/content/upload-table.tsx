import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import type { AdminUpload } from '#domain/admin/content/uploads.ts';
import { api } from '../../api.ts';
import { failureTexts } from '../../workshop/upload-failure-texts.ts';
import { RowActions, RowName, Table } from '../../workshop/lists/table.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import { UploadStateMark } from '../../workshop/state-mark.tsx';
import { useCall } from '../use-call.ts';

/** Files of all creators that have not become audios yet. @param now the server's time in milliseconds */
export function UploadTable({ uploads, now }: { uploads: AdminUpload[]; now: number }) {
  const { call } = useCall();
  return (
    <Table
      caption={t`Uploads`}
      rows={uploads}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t({ message: 'Upload', context: 'noun' }),
          kind: 'name',
          cell: ({ voice, title, fileName, failure }) => (
            <RowName
              to={href('/studio/:voice/upload', { voice: voice.slug })}
              name={<bdi>{title}</bdi>}
              note={fileName}
            >
              {failure !== null && <small className="text-danger">{failureTexts()[failure]}</small>}
            </RowName>
          ),
        },
        { head: t`Creator`, cell: ({ voice }) => voice.name },
        { head: t`State`, cell: ({ state, progress }) => <UploadStateMark state={state} progress={progress} /> },
        {
          head: t`Since`,
          className: 'whitespace-nowrap text-muted',
          cell: ({ changedAt }) => <LocalTime at={changedAt} now={now} style="moment" />,
        },
        {
          head: t`Actions`,
          kind: 'actions',
          cell: ({ id, title, isRetriable }) =>
            isRetriable && (
              <RowActions
                of={title}
                actions={[
                  [
                    t`Try again`,
                    () =>
                      void call(id, () => api.studio.uploads[':id'].retry.$post({ param: { id } }), {
                        done: t`“${title}” is processed again`,
                      }),
                  ],
                ]}
              />
            ),
        },
      ]}
    />
  );
}
