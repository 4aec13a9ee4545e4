import { plural, t } from '@lingui/core/macro';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { formatTime } from '#formats/durations.ts';
import { PlayButton } from '#web/listening/play-button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { AudioLink } from './content-link.tsx';
import { ForeignMark } from './foreign-language.tsx';

export function MoreFromVoice({ voice, audios }: { voice: AudioItem['voice']; audios: AudioItem[] }) {
  const { name } = voice;
  const title = t`More from ${name}`;
  return (
    <section aria-label={title}>
      <h2 className="text-22 mb-2">{title}</h2>
      <ul>
        {audios.map((audio, index) => (
          <SmallRow key={audio.id} audios={audios} index={index} />
        ))}
      </ul>
    </section>
  );
}

export function SmallRow({ audios, index }: { audios: AudioItem[]; index: number }) {
  const audio = audios[index];
  if (audio === undefined) return null;
  const { plays } = audio;
  return (
    <li className="flex items-center gap-3.5 py-2.5">
      <Cover imageUrl={audio.imageUrl} size={56} />
      <div className="min-w-0 flex-1">
        <AudioLink
          className="truncate block text-15 font-semibold max-md:relative max-md:-my-3 max-md:py-3"
          audio={audio}
          source="audio_details"
        >
          {audio.title}
        </AudioLink>
        <p className="tabular-nums text-13 text-muted">
          {formatTime(audio.numberDuration)}
          <span className="dot">{plural(plays, { one: '# play', other: '# plays' })}</span>
        </p>
        <ForeignMark tag={audio.language} className="block text-13 text-muted" />
      </div>
      <PlayButton audios={audios} index={index} source="audio_details" variant="quiet" listName={audio.voice.name} />
    </li>
  );
}
