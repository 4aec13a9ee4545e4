import { href, Link } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import { formatTime } from '#web/format.ts';
import { track } from '#web/insight/track.ts';
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
            <Link
              className="mention__t c2"
              to={href('/audio/:slug', { slug: audio.slug })}
              onClick={() => track('audio_click', { source: 'blog', subjectId: audio.id })}
            >
              {audio.title}
            </Link>
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
