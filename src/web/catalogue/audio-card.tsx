import type { Audio } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import { formatTime } from '#web/format.ts';
import { PlayButton } from '#web/listening/play-button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { AudioLink } from './content-link.tsx';
import { railSizes } from './rail.tsx';

type AudioCardProps = {
  /** The list it stands in, which plays on from it. */
  audios: Audio[];
  index: number;
  source: ContentSource;
  /** What the list is called, for "Playing from". */
  listName: string;
};

export function AudioCard({ audios, index, source, listName }: AudioCardProps) {
  const audio = audios[index];
  if (audio === undefined) return null;
  return (
    <div className="card">
      <AudioLink className="block rounded-cover" audio={audio} source={source}>
        <Cover imageUrl={audio.imageUrl} width={193} sizes={railSizes}>
          {audio.badge && <span className="cov__tag">{audio.badge}</span>}
        </Cover>
        <p className="card__t c2">{audio.title}</p>
        <p className="card__s trunc">
          {audio.voice.name}
          <span className="dot num">{formatTime(audio.numberDuration)}</span>
        </p>
      </AudioLink>
      {/* Beside the link, not in it: a button in a link is neither. */}
      <div className="pointer-events-none absolute inset-x-0 top-0 aspect-square">
        <div className="cov__play pointer-events-auto rounded-full">
          <PlayButton audios={audios} index={index} source={source} look="round-small" listName={listName} />
        </div>
      </div>
    </div>
  );
}
