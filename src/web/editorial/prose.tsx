/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- what is pressed are the links within */
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { onPlainPress } from '#web/ui/plain-press.ts';

/**
 * What the server made of Markdown (`renderMarkdown`). A link within the site leads there as every other does: without
 * loading it anew, so that what plays plays on.
 */
export function Prose({ html, className }: { html: string; className: string }) {
  const navigate = useNavigate();
  function follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    // A feed or a picture is no page.
    if (link === null || link.target !== '' || link.origin !== window.location.origin || /\.\w+$/.test(link.pathname))
      return;
    onPlainPress(() => void navigate(link.pathname + link.search + link.hash))(event);
  }
  return <div className={className} onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />;
}
