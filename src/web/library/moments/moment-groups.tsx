import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Play from 'lucide-react/icons/play';
import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { formatTime } from '#formats/durations.ts';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { type KeptMoment, flushMoments } from '#web/catalogue/moments/keep-moment.ts';
import { useListener, usePlayerCommands, usePlayerState } from '#web/listening/player-provider.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { MomentMenu } from './moment-menu.tsx';
import './moments.css';

/** By audio, the one with the newest moment first; in an audio in the order of time. */
export function MomentGroups({ moments, audios }: { moments: KeptMoment[]; audios: AudioItem[] }) {
  const viewer = useListener();
  const owner = viewer.kind === 'user' ? viewer.id : undefined;
  const { revalidate } = useRevalidator();
  // Kept without a connection.
  useEffect(() => {
    if (owner !== undefined)
      void flushMoments(owner).then(async (isNew) => {
        if (isNew) await revalidate();
      });
  }, [owner, revalidate]);
  return (
    <>
      <ul className="mt-2">
        {audios.map((audio) => (
          <Group
            key={audio.id}
            audio={audio}
            moments={moments
              .filter(({ audioId }) => audioId === audio.id)
              .toSorted((one, other) => one.position - other.position)}
          />
        ))}
      </ul>
      <p className="mt-4 text-14 text-muted">
        <Trans>Only you can see your moments. They are part of your data export.</Trans>
      </p>
    </>
  );
}

function Group({ audio, moments }: { audio: AudioItem; moments: KeptMoment[] }) {
  return (
    <li className="moments">
      <Cover imageUrl={audio.imageUrl} size={72} />
      <div className="min-w-0">
        <h2 className="text-22">
          <AudioLink audio={audio} source="favorites">
            {audio.title}
          </AudioLink>
        </h2>
        <p className="text-13 text-muted tabular-nums">
          <bdi>{audio.voice.name}</bdi>
          <span className="dot">{formatTime(audio.numberDuration)}</span>
        </p>
      </div>
      <ul className="moments__list">
        {moments.map((moment) => (
          <Row key={moment.id} audio={audio} moment={moment} />
        ))}
      </ul>
    </li>
  );
}

function Row({ audio, moment }: { audio: AudioItem; moment: KeptMoment }) {
  const { playList } = usePlayerCommands();
  const isDiscreet = usePlayerState((snapshot) => snapshot.isDiscreet);
  const seconds = moment.position / 1000;
  const time = formatTime(seconds);
  return (
    <li className="moment">
      <button
        type="button"
        className="moment__play tabular-nums"
        aria-label={t`Play from ${time}`}
        onClick={() => playList([audio], 0, 'favorites', t`Moments`, seconds)}
      >
        <Icon of={Play} size={16} filled />
        {time}
      </button>
      <p className="min-w-0 wrap-anywhere whitespace-pre-line">{!isDiscreet && moment.note}</p>
      <MomentMenu audio={audio} moment={moment} />
    </li>
  );
}
