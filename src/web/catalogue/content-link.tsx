import type { ComponentProps, MouseEvent } from 'react';
import { href, Link } from 'react-router';
import type { ContentSource } from '#domain/insight/forms.ts';
import { track } from '#web/insight/track.ts';

type ContentLinkProps<Kind extends string, Of = { id: string; slug: string }> = Omit<
  ComponentProps<typeof Link>,
  'to'
> &
  Record<Kind, Of> & {
    /** The list it was met in. */
    source: ContentSource;
  };

/** To the page of an audio; says that it was chosen, and from which list (spec §7). */
export function AudioLink({ audio, source, onClick, ...props }: ContentLinkProps<'audio'>) {
  function tell(event: MouseEvent<HTMLAnchorElement>): void {
    track('audio_click', { source, subjectId: audio.id });
    onClick?.(event);
  }
  return <Link {...props} to={href('/audio/:slug', { slug: audio.slug })} onClick={tell} />;
}

export function VoiceLink({ voice, source, onClick, ...props }: ContentLinkProps<'voice'>) {
  function tell(event: MouseEvent<HTMLAnchorElement>): void {
    track('voice_click', { source, subjectId: voice.id });
    onClick?.(event);
  }
  return <Link {...props} to={href('/creators/:slug', { slug: voice.slug })} onClick={tell} />;
}

export function CategoryLink({ category, source, onClick, ...props }: ContentLinkProps<'category', { slug: string }>) {
  function tell(event: MouseEvent<HTMLAnchorElement>): void {
    // A voice names its category without its id.
    track('category_click', { source, ...('id' in category && { subjectId: String(category.id) }) });
    onClick?.(event);
  }
  return <Link {...props} to={href('/categories/:slug', { slug: category.slug })} onClick={tell} />;
}
