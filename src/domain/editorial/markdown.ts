import { Marked } from 'marked';
import sanitizeHtml from 'sanitize-html';

const marked = new Marked({ gfm: true });

/** What prose needs. Everything else that somebody writes is dropped, and of script and style the content too. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: 'p br hr h2 h3 h4 blockquote ul ol li a em strong del sup sub code pre table thead tbody tr th td'.split(
    ' ',
  ),
  allowedAttributes: { a: ['href', 'title', 'target', 'rel'], ol: ['start'], th: ['align'], td: ['align'] },
  allowedSchemes: ['https', 'http', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    // The page has its own heading of the first rank.
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    a: (tagName, { href = '', title }) => ({
      tagName,
      attribs: {
        href,
        ...(title !== undefined && { title }),
        // Terms and privacy by spec §2; what is elsewhere so that what plays here plays on.
        ...(/^(?:https?:|\/(?:terms|privacy)$)/i.test(href) && { target: '_blank' }),
        ...(/^[a-z][a-z\d+.-]*:/i.test(href) && { rel: 'noopener nofollow ugc' }),
      },
    }),
  },
};

/** HTML that can stand in a page, whatever the text holds: no script, no style, no picture, no attribute but links'. */
export function renderMarkdown(text: string): string {
  return sanitizeHtml(marked.parse(text, { async: false }), allowed).trim();
}
