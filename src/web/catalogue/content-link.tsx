import type { ComponentProps, MouseEvent } from 'react';
import { href, Link } from 'react-router';
import type { ContentSource } from '#domain/analytics/forms.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { voiceHref } from './links.ts';

type ContentLinkProps<Kind extends string, Of = { id: string; slug: string }> = Omit<
  ComponentProps<typeof Link>,
  'to'
> &
  Record<Kind, Of> & {
    /** List that contains the link, for analytics. */
    source: ContentSource;
  };

/** Link to an audio’s page; tracks the click with the list it came from (spec §7). */
export function AudioLink({ audio, source, onClick, ...props }: ContentLinkProps<'audio'>) {
  function logClick(event: MouseEvent<HTMLAnchorElement>): void {
    logEvent('audio_click', { source, subjectId: audio.id });
    onClick?.(event);
  }
  return <Link {...props} to={href('/audio/:slug', { slug: audio.slug })} onClick={logClick} />;
}

type LinkedVoice = { id: string; slug: string; linkedSeries?: { slug: string } | null };

/** Link to a creator’s page, or to the linked series. */
export function VoiceLink({ voice, source, onClick, ...props }: ContentLinkProps<'voice', LinkedVoice>) {
  function logClick(event: MouseEvent<HTMLAnchorElement>): void {
    logEvent('voice_click', { source, subjectId: voice.id });
    onClick?.(event);
  }
  return <Link {...props} to={voiceHref(voice)} onClick={logClick} />;
}

export function CategoryLink({ category, source, onClick, ...props }: ContentLinkProps<'category', { slug: string }>) {
  function logClick(event: MouseEvent<HTMLAnchorElement>): void {
    // The category in a voice has no id.
    logEvent('category_click', { source, ...('id' in category && { subjectId: String(category.id) }) });
    onClick?.(event);
  }
  return <Link {...props} to={href('/categories/:slug', { slug: category.slug })} onClick={logClick} />;
}
