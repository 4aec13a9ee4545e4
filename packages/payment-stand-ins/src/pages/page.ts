/** Plain pages: no script, and light or dark as the browser is. */

export const pageStyle = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f4f4f6, #17181c); color: light-dark(#1a1c22, #f2f2f4); }
main { max-width: 32rem; margin: 2rem auto; padding: 1.5rem; border-radius: 0.75rem; background: light-dark(#fff, #22242a); }
h1 { margin: 0 0 1rem; font-size: 1.5rem; }
p { margin: 0 0 1rem; }
.note { padding: 0.75rem 1rem; border-inline-start: 4px solid light-dark(#8a5a00, #f0b429); background: light-dark(#fff5dd, #33291a); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0 0 1.5rem; }
dt { color: light-dark(#565a66, #b4b7c0); }
dd { margin: 0; overflow-wrap: anywhere; }
form { display: inline-block; margin: 0 0.5rem 0.5rem 0; }
button { min-height: 2.75rem; padding: 0 1.25rem; font: inherit; font-weight: 600; border-radius: 0.5rem; cursor: pointer;
  border: 2px solid light-dark(#4c4f5a, #a9adb8); background: transparent; color: inherit; }
button.main { border-color: light-dark(#1f5f3a, #2f8f57); background: light-dark(#1f5f3a, #1f6a3f); color: #fff; }
a { color: light-dark(#0b57b7, #9cc4ff); }
:focus-visible { outline: 3px solid light-dark(#0b57b7, #9cc4ff); outline-offset: 2px; }
@media (max-width: 34rem) { main { margin: 0; border-radius: 0; } }
`;

/** Fits into HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | Html | readonly Html[];

/** Values are escaped unless they are HTML. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const written = values.map((value) => {
    if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
    return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
  });
  return new Html(parts.reduce((text, part, index) => text + (written[index - 1] ?? '') + part));
}

export type Button = { act: string; label: string; isMain?: boolean };

export type Page = {
  provider: string;
  title: string;
  facts?: [string, string][];
  text?: string;
  /** Each posts to `action`/act. */
  action?: string;
  buttons?: Button[];
  link?: { href: string; label: string };
};

export function writePage(
  { provider, title, facts = [], text, action = '', buttons = [], link }: Page,
  prefix: string,
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – stand-in of ${provider}</title>
        <link rel="stylesheet" href="${prefix}/stand-in/page.css" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p class="note">
            <strong>This is not ${provider}.</strong> It stands in for it on this machine. No card is asked for, and no
            money is moved.
          </p>
          ${text === undefined ? [] : html`<p>${text}</p>`}
          ${
            facts.length === 0
              ? []
              : html`<dl>
                  ${facts.map(
                    ([name, value]) =>
                      html`<dt>${name}</dt>
                        <dd>${value}</dd>`,
                  )}
                </dl>`
          }
          ${buttons.map(
            ({ act, label, isMain }) =>
              html`<form method="post" action="${action}/${act}"><button${isMain ? new Html(' class="main"') : []}>${label}</button></form>`,
          )}
          ${link === undefined ? [] : html`<p><a href="${link.href}">${link.label}</a></p>`}
        </main>
      </body>
    </html>`.text;
}

export function pageHeaders(backTo: string[]): Record<string, string> {
  // A redirect after a form counts as its target too.
  const origins = [...new Set(backTo.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))];
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    'referrer-policy': 'same-origin',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      `form-action ${["'self'", ...origins].join(' ')}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}
