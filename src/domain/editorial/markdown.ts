import { Marked } from 'marked';
import sanitizeHtml from 'sanitize-html';

/** Boxes of task lists as characters: an input has no place in an article. */
const checkbox = ({ checked }: { checked: boolean }) => (checked ? '☑ ' : '☐ ');
const marked = new Marked({ gfm: true, renderer: { checkbox } });

/** Elements for prose. Others are dropped; script and style lose their content too. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: 'p br hr h2 h3 h4 blockquote ul ol li a em strong del sup sub code pre table thead tbody tr th td'.split(
    ' ',
  ),
  allowedAttributes: { a: ['href', 'title', 'target', 'rel'], ol: ['start'], th: ['align'], td: ['align'] },
  allowedSchemes: ['https', 'http', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    // The page has its own h1.
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    a: (tagName, { href = '', title }) => ({
      tagName,
      attribs: {
        href,
        ...(title !== undefined && { title }),
        // Terms and privacy by spec §2; external links too, so that playback here continues.
        ...(/^(?:https?:|\/(?:terms|privacy)$)/i.test(href) && { target: '_blank' }),
        ...(/^[a-z][a-z\d+.-]*:/i.test(href) && { rel: 'noopener nofollow ugc' }),
      },
    }),
  },
};

/** HTML that is safe to embed: no script, style or picture, and attributes on links only. */
export function renderMarkdown(text: string): string {
  try {
    return sanitizeHtml(marked.parse(text, { async: false }), allowed).trim();
  } catch (error) {
    // Quotes or lists nested thousands of times deep exceed the stack; such a text is shown as it was written.
    if (!(error instanceof RangeError)) throw error;
    return `<p>${text.replaceAll(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`;
  }
}
