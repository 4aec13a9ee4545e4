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
import { ForeignMark } from '../foreign-language.tsx';
import { railSizes } from './rail.tsx';

type AudioCardProps = {
  /** List that the card is in; playback continues through it. */
  audios: AudioItem[];
  index: number;
  source: ContentSource;
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
          {audio.badge && <span className="cover__tag">{audio.badge}</span>}
          {!canPlay(viewer, audio) && (
            <span className="cover__lock">
              <Icon of={Lock} size={16} />
            </span>
          )}
        </Cover>
        <p className="card__title line-clamp-2">{audio.title}</p>
        <p className="card__line truncate">
          <bdi>{audio.voice.name}</bdi>
          <span className="dot tabular-nums">{formatTime(audio.numberDuration)}</span>
        </p>
        <ForeignMark tag={audio.language} className="card__line block" />
      </AudioLink>
      {/* Next to the link, not inside it: HTML forbids a button in a link. */}
      <div className="card__play">
        <div className="cover__play">
          <PlayButton audios={audios} index={index} source={source} variant="round-small" listName={listName} />
        </div>
      </div>
    </div>
  );
}
