import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { isVisible } from '#domain/kernel/rules.ts';
import { normalizeTitle, playlistBackgrounds, playlistFonts, playlistTitleLength } from '#domain/library/rules.ts';
import { Button } from '../ui/button.tsx';
import { CheckBox } from '../ui/fields/check-box.tsx';
import { Field } from '../ui/fields/field.tsx';
import { Note } from '../ui/note.tsx';
import { type PlaylistCover, CoverPickers } from './cover-pickers.tsx';

type PlaylistFormProps = {
  label: string;
  title?: string;
  /** Asks for the cover and who may see it too; without it only the title is asked for. */
  isPublic?: boolean;
  submit: { label: string; busy: string };
  /** @returns the error message; undefined on success, which removes the form */
  onSubmit: (form: { title: string; isPublic: boolean } & PlaylistCover) => Promise<string | undefined>;
  onCancel: () => void;
  children?: ReactNode;
};

export function PlaylistForm({ label, title = '', isPublic, submit, onSubmit, onCancel, children }: PlaylistFormProps) {
  const [typed, setTyped] = useState(title);
  const [shared, setShared] = useState(isPublic ?? false);
  const [cover, setCover] = useState<PlaylistCover>({ background: playlistBackgrounds[0], font: playlistFonts[0] });
  const [isTouched, setIsTouched] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isTitled = isVisible(normalizeTitle(typed));

  async function send(): Promise<void> {
    if (!isTitled || isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    const refusal = await onSubmit({ title: typed, isPublic: shared, ...cover });
    if (refusal === undefined) return;
    setFailure(refusal);
    setIsBusy(false);
  }

  return (
    <form
      className="form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <Field
        label={t`Title`}
        name="title"
        autoComplete="off"
        maxLength={playlistTitleLength}
        length={typed.length}
        value={typed}
        error={isTouched && !isTitled ? t`Enter a title` : undefined}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setIsTouched(typed !== title)}
      />
      {isPublic !== undefined && (
        <>
          <CoverPickers playlist={cover} onChoose={(change) => setCover({ ...cover, ...change })} />
          <CheckBox checked={shared} onChange={(event) => setShared(event.target.checked)}>
            {t`Public: others can find it, and see it under your username`}
          </CheckBox>
        </>
      )}
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={!isTitled} busy={isBusy ? submit.busy : undefined}>
          {submit.label}
        </Button>
        <Button variant="ghost" disabled={isBusy} onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </div>
    </form>
  );
}
