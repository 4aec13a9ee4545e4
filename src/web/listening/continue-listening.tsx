import { useMemo } from 'react';
import type { CSSProperties } from 'react';
import { href } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import { AudioMenu } from '#web/catalogue/audio-menu.tsx';
import { AudioLink, VoiceLink } from '#web/catalogue/content-link.tsx';
import { FavoriteButton } from '#web/catalogue/favorite-button.tsx';
import { Section } from '#web/catalogue/section.tsx';
import { formatDuration } from '#web/format.ts';
import { Cover } from '#web/ui/cover.tsx';
import { WhisperLine } from '#web/ui/whisper-line.tsx';
import { PlayButton } from './play-button.tsx';
import { useProgress, useSeedPlaces } from './player-provider.tsx';

/** What somebody is in the middle of. */
export type InProgress = {
  audio: Audio;
  /** Where they left it. */
  seconds: number;
};

type ItemProps = { items: InProgress[]; audios: Audio[]; index: number };

const title = 'Continue listening';
/** Beside the one that was heard last. */
const mostBeside = 3;

/** The audio that was heard last, large, and a few before it. @param props.items at least one, the last first */
export function ContinueListening({ items }: { items: InProgress[] }) {
  const places = useMemo(() => Object.fromEntries(items.map(({ audio, seconds }) => [audio.id, seconds])), [items]);
  useSeedPlaces(places);
  const audios = useMemo(() => items.map(({ audio }) => audio), [items]);
  const beside = items.slice(1, 1 + mostBeside);
  return (
    <Section title={title} more={{ label: 'History', to: href('/account/history') }} className="mt-6">
      <ul className="cont">
        <Featured items={items} audios={audios} index={0} />
        {beside.map(({ audio }, at) => (
          <Beside key={audio.id} items={items} audios={audios} index={at + 1} />
        ))}
      </ul>
    </Section>
  );
}

function Featured({ items, audios, index }: ItemProps) {
  const item = items[index];
  if (item === undefined) return null;
  const { audio, seconds } = item;
  return (
    <li className="feat cont__f" style={{ '--tone': audio.color ?? '#5b4b8a' } as CSSProperties}>
      <Cover imageUrl={audio.imageUrl} width={228} sizes="(max-width: 767px) 112px, 228px" className="cont__cov" />
      <div className="grow">
        <p className="eyebrow num">
          {audio.categories[0] && <span>{audio.categories[0].label}</span>}
          <span className={audio.categories[0] && 'dot'}>{leftOf(audio, seconds)}</span>
        </p>
        <h3 className="t-26 mt-2">
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
          <HeardLine audio={audio} seconds={seconds} />
        </div>
        <div className="acts mt-4">
          <PlayButton audios={audios} index={index} source="homepage" look="primary" listName={title} />
          <FavoriteButton
            contentTypeId="audio"
            name={audio.title}
            subjectId={audio.id}
            source="homepage"
            imageUrl={audio.imageUrl}
          />
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
    <li className="res">
      <Cover imageUrl={audio.imageUrl} size={72} />
      <div className="grow">
        <p className="trunc font-semibold">
          <AudioLink audio={audio} source="homepage">
            {audio.title}
          </AudioLink>
        </p>
        <p className="trunc mt-0.5 text-13 text-muted">
          {audio.voice.name}
          <span className="dot num">{leftOf(audio, seconds)}</span>
        </p>
        <HeardBar audio={audio} seconds={seconds} />
      </div>
      <PlayButton audios={audios} index={index} source="homepage" look="round-small" listName={title} />
    </li>
  );
}

function HeardLine({ audio, seconds }: InProgress) {
  return <WhisperLine slug={audio.slug} bars={64} height={40} progress={useProgress(audio, seconds)} />;
}

function HeardBar({ audio, seconds }: InProgress) {
  const progress = useProgress(audio, seconds);
  return (
    <span className="bar mt-2.5 block" aria-hidden="true">
      <i style={{ width: `${progress * 100}%` }} />
    </span>
  );
}

/** In whole minutes, as far as there are any. */
function leftOf(audio: Audio, seconds: number): string {
  const left = Math.max(0, audio.numberDuration - seconds);
  return `${formatDuration(left >= 600 ? Math.floor(left / 60) * 60 : left)} left`;
}
