import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import { Chip } from '../ui/chip.tsx';
import { DialogWindow } from '../ui/layers/dialog-window.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { saveHiddenTag } from './hiding/save-hidden.ts';

type Note = Audio['contentNotes'][number];
type ContentNotesProps = {
  audio: Pick<Audio, 'contentNotes' | 'imageUrl'>;
  /** Slugs of those that this listener hides; the audio was found by a link. */
  hidden: string[];
};

/** Shown before Play, with a way to hide audios like this. */
export function ContentNotes({ audio, hidden }: ContentNotesProps) {
  const askToSignIn = useSignInPrompt();
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState(() => new Set(hidden));
  const notes = audio.contentNotes;
  const names = notes.flatMap(({ slug, label }) => (hidden.includes(slug) ? [t`“${label}”`] : [])).join(', ');
  return (
    <>
      <p className="meta mt-5">
        <Trans>Content notes</Trans>
        {notes.map(({ slug, label }) => (
          <Link key={slug} dir="auto" className="tap dot font-semibold" to={`${href('/audios')}?tag=${slug}`}>
            {label}
          </Link>
        ))}
        <Link
          className="tap dot link"
          to={href('/account/hidden')}
          onClick={(event) => {
            event.preventDefault();
            askToSignIn({
              title: t`Sign in to hide audios like this`,
              imageUrl: audio.imageUrl,
              act: () => setIsOpen(true),
            });
          }}
        >
          {t`Hide audios like this`}
        </Link>
      </p>
      {names !== '' && (
        <p className="meta">
          <span>{t`You hide ${names}, this audio has it. It plays as usual.`}</span>
          <Link className="tap dot link" to={href('/account/hidden')}>
            {t`Hidden`}
          </Link>
        </p>
      )}
      <DialogWindow
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t`Hide audios like this`}
        description={t`Which note do you not want to meet? Audios with it are hidden from lists, search and suggestions.`}
      >
        <NoteChoices notes={notes} chosen={chosen} onChoose={setChosen} />
      </DialogWindow>
    </>
  );
}

type NoteChoicesProps = { notes: Note[]; chosen: Set<string>; onChoose: (chosen: Set<string>) => void };

/** Each press is saved at once. */
function NoteChoices({ notes, chosen, onChoose }: NoteChoicesProps) {
  const showToast = useToast();
  async function toggle({ slug, label }: Note): Promise<void> {
    const isHidden = !chosen.has(slug);
    const failed = await saveHiddenTag(slug, isHidden);
    if (failed !== undefined) return showToast({ text: failed });
    onChoose(new Set(isHidden ? [...chosen, slug] : [...chosen].filter((other) => other !== slug)));
    showToast({ text: isHidden ? t`“${label}” is hidden` : t`“${label}” is shown again` });
  }
  return (
    <div className="chips mt-4">
      {notes.map((note) => (
        <Chip key={note.slug} aria-pressed={chosen.has(note.slug)} onClick={() => void toggle(note)}>
          {note.label}
        </Chip>
      ))}
    </div>
  );
}
