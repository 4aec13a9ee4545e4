import type { AudioItem } from '#domain/catalogue/audios.ts';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { formatTime } from '#formats/durations.ts';
import { PlayButton } from '#web/listening/play-button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';

/** Audios that an article mentions, playable next to the text. */
export function MentionedAudios({ audios, listName }: { audios: AudioItem[]; listName: string }) {
  return (
    <aside aria-label="Mentioned in this article" className="mx-auto mt-12 grid max-w-[680px] grid-cols-1 gap-3">
      {audios.map((audio, index) => (
        <div
          key={audio.id}
          className="flex flex-wrap items-center gap-4 rounded-card bg-surface p-4 edge max-md:[&_.btn]:px-3.5"
        >
          <Cover imageUrl={audio.imageUrl} size={72} />
          <div className="min-w-0 flex-[1_1_6rem]">
            <p className="text-13 text-muted">Mentioned in this article</p>
            <AudioLink className="tap block font-semibold wrap-anywhere" audio={audio} source="blog">
              <span className="line-clamp-2">{audio.title}</span>
            </AudioLink>
            <p className="text-14 text-muted">
              <bdi>{audio.voice.name}</bdi>
              <span className="dot tabular-nums">{formatTime(audio.numberDuration)}</span>
            </p>
          </div>
          <PlayButton
            audios={audios}
            index={index}
            source="blog"
            variant={index === 0 ? 'primary' : 'pill'}
            listName={listName}
          />
        </div>
      ))}
    </aside>
  );
}
