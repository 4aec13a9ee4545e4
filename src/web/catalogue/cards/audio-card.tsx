import Lock from 'lucide-react/icons/lock';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/analytics/forms.ts';
import { canPlay } from '#domain/listening/rules.ts';
import { formatTime } from '#formats/durations.ts';
import { PlayButton } from '../../listening/play-button.tsx';
import { useListener } from '../../listening/player-provider.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { AudioLink } from '../content-link.tsx';
import { railSizes } from './rail.tsx';

type AudioCardProps = {
  /** List that the card is in; playback continues through it. */
  audios: AudioItem[];
  index: number;
  source: ContentSource;
  /** Name of the list, for “Playing from”. */
  listName: string;
};

export function AudioCard({ audios, index, source, listName }: AudioCardProps) {
  const viewer = useListener();
  const audio = audios[index];
  if (audio === undefined) return null;
  return (
    <div className="card">
      <AudioLink className="block rounded-cover" audio={audio} source={source}>
        <Cover imageUrl={audio.imageUrl} width={193} sizes={railSizes}>
          {audio.badge && (
            <span className="absolute left-2 top-2 z-1 inline-flex items-center h-5.5 px-2 rounded-tag bg-[rgba(20,12,14,0.78)] text-[#fff3ea] text-12 font-semibold">
              {audio.badge}
            </span>
          )}
          {!canPlay(viewer, audio) && (
            <span className="absolute right-2 top-2 z-1 grid place-items-center size-7 rounded-full bg-[rgba(20,12,14,0.78)] text-[#fff3ea]">
              <Icon of={Lock} size={16} />
            </span>
          )}
        </Cover>
        <p className="card__t line-clamp-2">{audio.title}</p>
        <p className="card__s truncate">
          <bdi>{audio.voice.name}</bdi>
          <span className="dot tabular-nums">{formatTime(audio.numberDuration)}</span>
        </p>
      </AudioLink>
      {/* Next to the link, not inside it: HTML forbids a button in a link. */}
      <div className="absolute top-0 inset-x-0 aspect-square pointer-events-none">
        <div className="cov__play">
          <PlayButton audios={audios} index={index} source={source} variant="round-small" listName={listName} />
        </div>
      </div>
    </div>
  );
}
