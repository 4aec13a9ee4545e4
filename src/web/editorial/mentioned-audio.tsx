import type { Audio } from '#domain/catalogue/audios.ts';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { formatTime } from '#web/format.ts';
import { PlayButton } from '#web/listening/play-button.tsx';
import { Cover } from '#web/ui/cover.tsx';

/** What an article speaks of; plays where one reads. */
export function MentionedAudios({ audios, listName }: { audios: Audio[]; listName: string }) {
  return (
    <aside aria-label="Mentioned in this article" className="mention">
      {audios.map((audio, index) => (
        <div key={audio.id} className="mention__i">
          <Cover imageUrl={audio.imageUrl} size={72} />
          <div className="grow">
            <p className="text-13 text-muted">Mentioned in this article</p>
            <AudioLink className="mention__t c2" audio={audio} source="blog">
              {audio.title}
            </AudioLink>
            <p className="text-14 text-muted">
              {audio.voice.name}
              <span className="dot num">{formatTime(audio.numberDuration)}</span>
            </p>
          </div>
          <PlayButton
            audios={audios}
            index={index}
            source="blog"
            look={index === 0 ? 'primary' : 'pill'}
            listName={listName}
          />
        </div>
      ))}
    </aside>
  );
}
