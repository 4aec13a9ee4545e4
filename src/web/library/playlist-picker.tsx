import Check from 'lucide-react/icons/check';
import Lock from 'lucide-react/icons/lock';
import Plus from 'lucide-react/icons/plus';
import { useEffect, useRef, useState } from 'react';
import type { OwnUserPlaylist } from '#domain/library/own-playlists.ts';
import { forgetLeftLists } from '#web/catalogue/use-pages.ts';
import { answerOf, api } from '../api.ts';
import { formatCountOf } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { DialogWindow } from '../ui/dialog-window.tsx';
import { Icon } from '../ui/icon.tsx';
import { Note } from '../ui/note.tsx';
import { useToast } from '../ui/toast.tsx';
import type { PlaylistCandidate } from './library-provider.tsx';
import { PlaylistForm } from './playlist-form.tsx';
import { playlistBackgroundClass } from './user-playlist-cover.tsx';

type PickerProps = { audio: PlaylistCandidate; open: boolean; onClose: () => void };

/** One's own playlists with those ticked that the audio is in, and a way to a new one. */
export function PlaylistPicker({ audio, open, onClose }: PickerProps) {
  return (
    <DialogWindow open={open} onClose={onClose} title="Add to playlist" description={audio.title}>
      <Choice audio={audio} onClose={onClose} />
    </DialogWindow>
  );
}

type Loaded =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'here'; playlists: OwnUserPlaylist[] };

function Choice({ audio, onClose }: Pick<PickerProps, 'audio' | 'onClose'>) {
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

  if (loaded.state === 'loading') return <p className="mt-6 min-h-24 text-muted">Loading your playlists…</p>;
  if (loaded.state === 'failed') {
    return (
      <div className="form">
        <Note tone="error">{loaded.message}</Note>
        <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>
      </div>
    );
  }
  if (isNew || loaded.playlists.length === 0) {
    return (
      <NewWithAudio
        audio={audio}
        onDone={onClose}
        onCancel={() => (loaded.playlists.length === 0 ? onClose() : setIsNew(false))}
      />
    );
  }
  return (
    <>
      <fieldset className="pick">
        <legend className="vh">Your playlists</legend>
        <button type="button" className="pick__i" onClick={() => setIsNew(true)}>
          <span className="pick__c pick__c--new">
            <Icon of={Plus} />
          </span>
          <span className="grow font-semibold">New playlist…</span>
        </button>
        {loaded.playlists.map((playlist) => (
          <PickedPlaylist key={playlist.id} playlist={playlist} audio={audio} />
        ))}
      </fieldset>
      <Button className="mt-6" variant="primary" width="full" onClick={onClose}>
        Done
      </Button>
    </>
  );
}

/** Adds and removes at once; what does not come through is put back. */
function PickedPlaylist({ playlist, audio }: { playlist: OwnUserPlaylist; audio: PlaylistCandidate }) {
  const showToast = useToast();
  const [isIn, setIsIn] = useState(playlist.hasAudio);
  const [added, setAdded] = useState(0);
  const isBusy = useRef(false);

  async function toggle(): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    const wanted = !isIn;
    setIsIn(wanted);
    setAdded(added + (wanted ? 1 : -1));
    const param = { id: playlist.id };
    const answer = wanted
      ? await answerOf(api['users-playlists'][':id'].audios.$post({ param, json: { audioIds: [audio.id] } }))
      : await answerOf(
          api['users-playlists'][':id'].audios[':audioId'].$delete(
            { param: { ...param, audioId: audio.id } },
            { headers: { 'content-type': 'application/json' } },
          ),
        );
    isBusy.current = false;
    // Its tick says it; a notice would lie over the others. Its own page may be the one before.
    if (answer.ok) return forgetLeftLists(`/v1/api/users-playlists/${playlist.id}/`);
    setIsIn(!wanted);
    setAdded(added);
    showToast({ text: answer.message });
  }

  return (
    <label className="pick__i">
      <input type="checkbox" className="vh" checked={isIn} onChange={() => void toggle()} />
      <span className={classNames('pick__c', playlistBackgroundClass[playlist.background])} />
      <span className="grow">
        <span className="trunc block font-semibold">{playlist.title}</span>
        <span className="flex items-center gap-1.5 text-13 text-muted">
          {!playlist.isPublic && (
            <>
              <Icon of={Lock} size={16} />
              <span className="vh">Private. </span>
            </>
          )}
          {formatCountOf(playlist.totalAudios + added, 'audio')}
        </span>
      </span>
      <span className="pick__t">{isIn && <Icon of={Check} size={18} />}</span>
    </label>
  );
}

type NewWithAudioProps = { audio: PlaylistCandidate; onDone: () => void; onCancel: () => void };

function NewWithAudio({ audio, onDone, onCancel }: NewWithAudioProps) {
  const showToast = useToast();
  const box = useRef<HTMLDivElement>(null);
  // What had the focus is gone with the list; on a touch screen the keyboard would cover what is to be read first.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) box.current?.querySelector('input')?.focus();
  }, []);
  return (
    <div ref={box}>
      <PlaylistForm
        label="New playlist"
        isPublic={false}
        submit={{ label: 'Create', busy: 'Creating…' }}
        onCancel={onCancel}
        onSubmit={async (form) => {
          const answer = await answerOf(api['users-playlists'].$post({ json: { ...form, audioIds: [audio.id] } }));
          if (!answer.ok) return answer.message;
          showToast({ text: `Added to “${answer.data.title}”` });
          onDone();
          return undefined;
        }}
      />
    </div>
  );
}
