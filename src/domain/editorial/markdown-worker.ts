import { parentPort } from 'node:worker_threads';
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

/** Runs as a worker, which says when it is ready, because some texts take marked minutes; `markdown.ts` ends it. */
parentPort?.on('message', (text: string) => {
  try {
    parentPort?.postMessage(sanitizeHtml(marked.parse(text, { async: false }), allowed).trim());
  } catch {
    // Quotes or lists nested thousands of times deep exceed the stack.
    parentPort?.postMessage(undefined);
  }
});
parentPort?.postMessage('ready');
