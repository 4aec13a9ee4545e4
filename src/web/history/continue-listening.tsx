import { t } from '@lingui/core/macro';
import { type CSSProperties, useMemo } from 'react';
import { href } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { AudioMenu } from '#web/catalogue/audio-menu.tsx';
import { AudioLink, VoiceLink } from '#web/catalogue/content-link.tsx';
import { audioFavorite, FavoriteButton } from '#web/catalogue/favorite-button.tsx';
import { Section } from '#web/catalogue/cards/section.tsx';
import { formatDuration } from '#formats/durations.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { Waveform } from '#web/ui/images/waveform.tsx';
import { PlayButton } from '../listening/play-button.tsx';
import { useProgress, useSeedResumePositions } from '../listening/player-provider.tsx';
import '#web/styles/continue.css';

export type InProgress = {
  audio: AudioItem;
  seconds: number;
};

type ItemProps = { items: InProgress[]; audios: AudioItem[]; index: number };

type ContinueListeningProps = {
  /** At least one, newest first. */
  items: InProgress[];
  /** Waveform of the newest item, as `Waveform` takes it. */
  bars: string | null;
};

const title = () => t`Continue listening`;
/** Most cards next to the large one. */
const maxBeside = 3;

/** The audio heard last, as a large card, and a few earlier ones. */
export function ContinueListening({ items, bars }: ContinueListeningProps) {
  const places = useMemo(() => Object.fromEntries(items.map(({ audio, seconds }) => [audio.id, seconds])), [items]);
  useSeedResumePositions(places);
  const audios = useMemo(() => items.map(({ audio }) => audio), [items]);
  const beside = items.slice(1, 1 + maxBeside);
  return (
    <Section title={title()} more={{ label: t`History`, to: href('/account/history') }} className="mt-6">
      <ul
        className={classNames(
          'grid gap-x-6 gap-y-3',
          beside.length > 0 && 'lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]',
        )}
      >
        <Featured items={items} audios={audios} index={0} bars={bars} />
        {beside.map(({ audio }, at) => (
          <Beside key={audio.id} items={items} audios={audios} index={at + 1} />
        ))}
      </ul>
    </Section>
  );
}

function Featured({ items, audios, index, bars }: ItemProps & Pick<ContinueListeningProps, 'bars'>) {
  const item = items[index];
  if (item === undefined) return null;
  const { audio, seconds } = item;
  return (
    <li
      className="feature min-w-0 max-md:gap-4 max-md:p-4 lg:row-[1/span_3]"
      style={{ '--tone': audio.color ?? '#5b4b8a' } as CSSProperties}
    >
      <Cover
        imageUrl={audio.imageUrl}
        width={228}
        sizes="(max-width: 767px) 112px, 228px"
        className="w-28 flex-none rounded-card max-md:self-start md:w-[228px]"
      />
      <div className="min-w-0 flex-1">
        <p className="eyebrow tabular-nums">
          {audio.categories[0] && <span>{audio.categories[0].label}</span>}
          <span className={audio.categories[0] && 'dot'}>{leftOf(audio, seconds)}</span>
        </p>
        <h3 className="mt-2 text-26 max-md:text-[1.25rem]">
          <AudioLink audio={audio} source="homepage">
            {audio.title}
          </AudioLink>
        </h3>
        <p className="mt-1.5 text-14 text-muted">
          <VoiceLink voice={audio.voice} source="homepage">
            {audio.voice.name}
          </VoiceLink>
        </p>
        <div className="mt-5 max-md:hidden">
          <HeardLine audio={audio} seconds={seconds} bars={bars} />
        </div>
        <div className="acts mt-4 max-md:[&_.icon-button]:hidden">
          <PlayButton audios={audios} index={index} source="homepage" variant="primary" listName={title()} />
          <FavoriteButton {...audioFavorite(audio, 'homepage')} />
          <AudioMenu audio={audio} place="row" source="homepage" />
        </div>
      </div>
    </li>
  );
}

function Beside({ items, audios, index }: ItemProps) {
  const item = items[index];
  if (item === undefined) return null;
  const { audio, seconds } = item;
  return (
    <li className="flex min-w-0 items-center gap-4 rounded-card bg-surface p-3 edge hover:bg-raised [&_.disc]:bg-overlay [&_.disc]:text-text">
      <Cover imageUrl={audio.imageUrl} size={72} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">
          <AudioLink audio={audio} source="homepage">
            {audio.title}
          </AudioLink>
        </p>
        <p className="mt-0.5 truncate text-13 text-muted">
          <bdi>{audio.voice.name}</bdi>
          <span className="dot tabular-nums">{leftOf(audio, seconds)}</span>
        </p>
        <HeardBar audio={audio} seconds={seconds} />
      </div>
      <PlayButton audios={audios} index={index} source="homepage" variant="round-small" listName={title()} />
    </li>
  );
}

function HeardLine({ audio, seconds, bars }: InProgress & Pick<ContinueListeningProps, 'bars'>) {
  return <Waveform bars={bars} count={64} height={40} progress={useProgress(audio, seconds)} />;
}

function HeardBar({ audio, seconds }: InProgress) {
  const progress = useProgress(audio, seconds);
  return (
    <span className="bar mt-2.5 block" aria-hidden="true">
      <i style={{ width: `${progress * 100}%` }} />
    </span>
  );
}

function leftOf(audio: AudioItem, seconds: number): string {
  const left = Math.max(0, audio.numberDuration - seconds);
  const duration = formatDuration(left >= 600 ? Math.floor(left / 60) * 60 : left);
  return t`${duration} left`;
}
