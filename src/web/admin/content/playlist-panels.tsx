import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Form } from '#web/workshop/form.tsx';
import type { ReactNode } from 'react';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import type { HousePlaylistDetail } from '#domain/admin/content/house-playlists.ts';
import { answerOf, api } from '../../api.ts';
import { Pane } from '../../workshop/pane.tsx';
import { Collage } from '#web/ui/images/collage.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { Note } from '../../ui/note.tsx';
import { EditedButtons } from '../../workshop/forms/edited-buttons.tsx';
import { useEdited } from '../../workshop/forms/use-edited.ts';

/** @param children the field of the playlist's own picture */
export function PlaylistCover({ playlist, children }: { playlist: HousePlaylistDetail; children: ReactNode }) {
  return (
    <Pane title={t`Cover`}>
      {playlist.imageUrl === null && (
        <>
          <Collage imageUrls={playlist.voiceImages} width={296} />
          <p className="text-13 my-3 text-muted">
            <Trans>From the portraits of the first four creators in the saved list.</Trans>
          </p>
        </>
      )}
      {children}
    </Pane>
  );
}

/** Title and description; the address stays. */
export function PlaylistTexts({ playlist }: { playlist: HousePlaylistDetail }) {
  const { id } = playlist;
  const saved = { title: playlist.title, description: playlist.description };
  const edited = useEdited({
    key: `playlist ${id}`,
    subject: { type: 'playlist', id },
    saved,
    send: (_values, changed, before) =>
      answerOf(api.admin.playlists[':id'].$patch({ param: { id }, json: { ...changed, before } })),
  });
  const { title, description } = edited.values;
  const isReady = edited.isChanged && title.trim() !== '';

  return (
    <Pane title={t`Text`}>
      <Form
        onSubmit={() => {
          if (isReady) void edited.save();
        }}
      >
        <Field
          label={t`Title`}
          value={title}
          maxLength={nameLengths.playlist}
          onChange={(event) => edited.change({ title: event.target.value })}
        />
        <TextArea
          label={t`Description`}
          rows={3}
          value={description}
          maxLength={textLengths.playlist}
          onChange={(event) => edited.change({ description: event.target.value })}
        />
        {edited.error !== undefined && <Note tone="error">{edited.error}</Note>}
        <EditedButtons edited={edited} isReady={isReady} verb={t`Save text`} />
      </Form>
    </Pane>
  );
}
