/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- links of a preview lead nowhere, by whatever they are pressed */
import '../../styles/editorial.css';

/** HTML that the server rendered from Markdown (`renderMarkdown`). Links do nothing, so that the editor stays open. */
export function RenderedText({ html, className }: { html: string; className: string }) {
  return (
    <div
      className={className}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a') !== null) event.preventDefault();
      }}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
