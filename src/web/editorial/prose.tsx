/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- what is pressed are the links within */
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { routePath } from '../ui/route-path.ts';
import { onPlainPress } from '#web/ui/plain-press.ts';

/**
 * HTML that the server rendered from Markdown (`renderMarkdown`). Links within the site navigate without a document
 * load, so that the audio keeps playing.
 */
export function Prose({ html, className }: { html: string; className: string }) {
  const navigate = useNavigate();
  function follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    // Addresses with a file extension (feeds, pictures) are not pages.
    if (link === null || link.target !== '' || link.origin !== window.location.origin || /\.\w+$/.test(link.pathname))
      return;
    onPlainPress(() => void navigate(routePath(link.pathname) + link.search + link.hash))(event);
  }
  return <div className={className} onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />;
}
