import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import Lock from 'lucide-react/icons/lock';
import Plus from 'lucide-react/icons/plus';
import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { OwnUserPlaylist } from '#domain/library/own-playlists.ts';
import { clearLeftLists } from '#web/catalogue/lists/list-memory.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { DialogWindow } from '../ui/layers/dialog-window.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Note } from '../ui/note.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import type { PlaylistCandidate, PlaylistPickerProps } from '../favorites/library-provider.tsx';
import { PlaylistForm } from './playlist-form.tsx';
import { playlistBackgroundClass } from './user-playlist-cover.tsx';
import '../styles/library.css';

/** The user’s own playlists, with those ticked that contain the audio, and a form for a new one. */
export function PlaylistPicker({ audio, open, onClose }: PlaylistPickerProps) {
  const { revalidate } = useRevalidator();
  const changes = useRef<Promise<void>[]>([]);

  /** The page below may show one of the changed playlists. */
  function close(): void {
    onClose();
    const sent = changes.current.splice(0);
    if (sent.length > 0) void Promise.all(sent).then(revalidate);
  }

  return (
    <DialogWindow open={open} onClose={close} title={t`Add to playlist`} description={audio.title}>
      <Choice audio={audio} onClose={close} onChange={(change) => changes.current.push(change)} />
    </DialogWindow>
  );
}

type Loaded =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'here'; playlists: OwnUserPlaylist[] };

type ChoiceProps = Pick<PlaylistPickerProps, 'audio' | 'onClose'> & {
  /** Takes a change that was sent, to wait for its answer. */
  onChange: (change: Promise<void>) => void;
};

function Choice({ audio, onClose, onChange }: ChoiceProps) {
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const [isNew, setIsNew] = useState(false);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void answerOf(api.user.playlists.$get({ query: { audioId: audio.id } }, { init: { signal } })).then((answer) => {
      if (signal.aborted) return;
      setLoaded(
        answer.ok ? { state: 'here', playlists: answer.data.items } : { state: 'failed', message: answer.message },
      );
    });
    return () => controller.abort();
  }, [audio.id, attempt]);

  if (loaded.state === 'loading')
    return (
      <p className="mt-6 min-h-24 text-muted">
        <Trans>Loading your playlists…</Trans>
      </p>
    );
  if (loaded.state === 'failed') {
    return (
      <div className="form">
        <Note tone="error">{loaded.message}</Note>
        <Button onClick={() => setAttempt(attempt + 1)}>{t`Try again`}</Button>
      </div>
    );
  }
  if (isNew || loaded.playlists.length === 0) {
    return (
      <NewWithAudio
        audio={audio}
        onDone={() => {
          onChange(Promise.resolve());
          onClose();
        }}
        onCancel={() => (loaded.playlists.length === 0 ? onClose() : setIsNew(false))}
      />
    );
  }
  return (
    <>
      <fieldset className="mx-[-12px] mt-5 grid max-h-[min(50vh,420px)] grid-cols-1 gap-0.5 overflow-auto p-0.5">
        <legend className="sr-only">
          <Trans>Your playlists</Trans>
        </legend>
        <button type="button" className={option} onClick={() => setIsNew(true)}>
          <span className="grid size-12 flex-none place-items-center rounded-tag bg-overlay text-accent-text">
            <Icon of={Plus} />
          </span>
          <span className="min-w-0 flex-1 font-semibold">
            <Trans>New playlist…</Trans>
          </span>
        </button>
        {loaded.playlists.map((playlist) => (
          <PickedPlaylist key={playlist.id} playlist={playlist} audio={audio} onChange={onChange} />
        ))}
      </fieldset>
      <Button className="mt-6" variant="primary" width="full" onClick={onClose}>
        {t`Done`}
      </Button>
    </>
  );
}

const option =
  'relative flex min-h-16 w-full cursor-pointer items-center gap-3.5 rounded-cover px-3 py-2 text-start hover:bg-overlay has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus';

type PickedPlaylistProps = Pick<ChoiceProps, 'audio' | 'onChange'> & { playlist: OwnUserPlaylist };

/** Adds and removes at once; a refused change is reverted. */
function PickedPlaylist({ playlist, audio, onChange }: PickedPlaylistProps) {
  const showToast = useToast();
  const [isIn, setIsIn] = useState(playlist.hasAudio);
  const [added, setAdded] = useState(0);
  const totalAudios = playlist.totalAudios + added;
  const isBusy = useRef(false);

  async function toggle(): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    const adds = !isIn;
    setIsIn(adds);
    setAdded(added + (adds ? 1 : -1));
    const param = { id: playlist.id };
    const { audios } = api['users-playlists'][':id'];
    const answer = adds
      ? await answerOf(audios.$post({ param, json: { audioIds: [audio.id] } }))
      : await answerOf(audios[':audioId'].$delete({ param: { ...param, audioId: audio.id } }));
    isBusy.current = false;
    // The tick is the confirmation; a toast would cover other rows. The playlist’s own page may be in the back history.
    if (answer.ok) return clearLeftLists(`/v1/api/users-playlists/${playlist.id}/`);
    setIsIn(!adds);
    setAdded(added);
    showToast({ text: answer.message });
  }

  return (
    <label className={option}>
      <input type="checkbox" className="peer sr-only" checked={isIn} onChange={() => onChange(toggle())} />
      <span className={classNames('size-12 flex-none rounded-tag', playlistBackgroundClass[playlist.background])} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{playlist.title}</span>
        <span className="flex items-center gap-1.5 text-13 text-muted">
          {!playlist.isPublic && (
            <>
              <Icon of={Lock} size={16} />
              <span className="sr-only">
                <Trans>Private.</Trans>{' '}
              </span>
            </>
          )}
          {plural(totalAudios, { one: '# audio', other: '# audios' })}
        </span>
      </span>
      <span className="grid size-6 flex-none place-items-center rounded-full [box-shadow:inset_0_0_0_1px_var(--control-line)] peer-checked:bg-accent peer-checked:text-accent-contrast peer-checked:[box-shadow:none]">
        {isIn && <Icon of={Check} size={18} />}
      </span>
    </label>
  );
}

type NewWithAudioProps = { audio: PlaylistCandidate; onDone: () => void; onCancel: () => void };

function NewWithAudio({ audio, onDone, onCancel }: NewWithAudioProps) {
  const showToast = useToast();
  const box = useRef<HTMLDivElement>(null);
  // The focused element disappears with the list. On touch screens the keyboard would cover the text above the field.
  useEffect(() => {
    const field = matchMedia('(pointer: fine)').matches && box.current?.querySelector('input');
    (field || box.current)?.focus();
  }, []);
  return (
    <div ref={box} tabIndex={-1}>
      <PlaylistForm
        label={t`New playlist`}
        isPublic={false}
        submit={{ label: t`Create`, busy: t`Creating…` }}
        onCancel={onCancel}
        onSubmit={async (form) => {
          const answer = await answerOf(api['users-playlists'].$post({ json: { ...form, audioIds: [audio.id] } }));
          if (!answer.ok) return answer.message;
          const { title } = answer.data;
          showToast({ text: t`Added to “${title}”` });
          onDone();
          return undefined;
        }}
      />
    </div>
  );
}
