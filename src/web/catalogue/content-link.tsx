import type { ComponentProps } from 'react';
import { href, Link } from 'react-router';
import type { ContentSource, EventName } from '#domain/analytics/forms.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { foreign } from './foreign-language.tsx';
import { voiceHref } from './links.ts';

type LoggedLinkProps = ComponentProps<typeof Link> & {
  event: EventName;
  /** List that contains the link. */
  source: ContentSource;
  subjectId?: string | undefined;
};

/** Link that tracks its click with the list it came from (spec §7). */
function LoggedLink({ event, source, subjectId, onClick, ...props }: LoggedLinkProps) {
  return (
    <Link
      {...props}
      onClick={(click) => {
        logEvent(event, { source, ...(subjectId !== undefined && { subjectId }) });
        onClick?.(click);
      }}
    />
  );
}

type ContentLinkProps<Kind extends string, Of = { id: string; slug: string }> = Record<Kind, Of> &
  Omit<LoggedLinkProps, 'to' | 'event' | 'subjectId'>;

type LinkedAudio = { id: string; slug: string; language?: string };

/** Its text is the title. */
export function AudioLink({ audio, ...props }: ContentLinkProps<'audio', LinkedAudio>) {
  return (
    <LoggedLink
      lang={foreign(audio.language)}
      {...props}
      event="audio_click"
      subjectId={audio.id}
      to={href('/audio/:slug', { slug: audio.slug })}
    />
  );
}

type LinkedVoice = { id: string; slug: string; linkedSeries?: { slug: string } | null };

/** Link to a creator’s page, or to the linked series. */
export function VoiceLink({ voice, ...props }: ContentLinkProps<'voice', LinkedVoice>) {
  return <LoggedLink {...props} event="voice_click" subjectId={voice.id} to={voiceHref(voice)} />;
}

/** The category in a voice has no id. */
export function CategoryLink({ category, ...props }: ContentLinkProps<'category', { id?: string; slug: string }>) {
  const to = href('/categories/:slug', { slug: category.slug });
  return <LoggedLink {...props} event="category_click" subjectId={category.id} to={to} />;
}
