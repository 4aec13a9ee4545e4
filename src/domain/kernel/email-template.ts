import type { Language } from '#formats/languages.ts';
import { language, languageFacts } from '#i18n';

/** Mail layout. Text and HTML are generated from the same paragraphs, so that they have the same content. */

export type MailContent = { subject: string; text: string; html: string };

/** `url` is an origin without a trailing slash. */
export type MailSite = {
  name: string;
  url: string;
  /** Whether answers reach the operator; only then mails may ask for one. */
  takesAnswers?: boolean | undefined;
  /**
   * Operators' text of a mail, or parts of it, and its language; null: the site's own. Absent when only the site's own is
   * known.
   */
  textOf?:
    | ((key: string) => { text: { subject?: string; body?: string; closing?: string }; language: Language } | null)
    | undefined;
};

type Action = { label: string; url: string };

export type EmailTemplate = {
  subject: string;
  /** Text, or a button at this place. */
  paragraphs: (string | Action)[];
  /** Small print at the end; may be empty. */
  closing: string;
};

export function renderEmail(site: MailSite, letter: EmailTemplate): MailContent {
  const { subject, paragraphs, closing } = letter;
  const lines = paragraphs.map((part) => (typeof part === 'string' ? part : `${part.label}:\n${part.url}`));
  const text = [site.name, ...lines, ...(closing === '' ? [] : [closing])].join('\n\n');
  return { subject, text: `${text}\n`, html: draw(site, letter) };
}

const serif = "Georgia, 'Times New Roman', serif";
const sans = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const paragraphStyle = `margin:0 0 16px;font:16px/1.55 ${sans};color:#d9cdc6`;

/** Tables and inline styles for mail programs. Loads nothing, because remote content reveals who reads the mail. */
function draw(site: MailSite, { subject, paragraphs, closing }: EmailTemplate): string {
  const { direction } = languageFacts();
  const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
  return `<!doctype html>
<html lang="${language()}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>${escape(subject)}</title>
</head>
<body style="margin:0;padding:0;background-color:#141012">
<table ${table} width="100%" bgcolor="#141012" style="background-color:#141012">
<tr><td align="center" style="padding:32px 16px">
<table ${table} width="100%" style="max-width:520px">
<tr><td style="padding:0 0 20px;font:italic 28px/1.2 ${serif};color:#f7f0ea">${escape(site.name)}</td></tr>
<tr><td bgcolor="#1c1719" style="padding:28px 28px 12px;background-color:#1c1719;border-radius:16px">
<h1 style="margin:0 0 16px;font:normal 24px/1.2 ${serif};color:#f7f0ea">${escape(subject)}</h1>
${paragraphs
  .map((part) =>
    typeof part === 'string' ? `<p style="${paragraphStyle}">${linked(site, part)}</p>` : drawAction(part),
  )
  .join('\n')}
${closing === '' ? '' : `<p style="margin:0 0 16px;font:14px/1.5 ${sans};color:#afa19c">${linked(site, closing)}</p>`}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** Repeats the link as text: some programs show no buttons, and some people do not trust them. */
function drawAction({ label, url }: Action): string {
  const link = escape(url);
  return `<p style="margin:24px 0"><a href="${link}" style="display:inline-block;padding:13px 24px;border-radius:999px;background-color:#f5b48c;font:bold 16px/1.2 ${sans};color:#2a1309;text-decoration:none">${escape(label)}</a></p>
<p style="margin:0 0 16px;font:13px/1.5 ${sans};color:#afa19c;word-break:break-all"><a href="${link}" style="color:#f5b48c">${link}</a></p>
`;
}

/** Links the site's own addresses, because not every program makes links of text. User text may have others. */
function linked(site: MailSite, text: string): string {
  const [before = '', ...others] = text.split(`${site.url}/`);
  const pieces = others.map((rest) => {
    const [path = ''] = /^[^\s<>"']*[\w-]/.exec(rest) ?? [];
    const url = escape(`${site.url}/${path}`);
    return `<a href="${url}" style="color:#f5b48c;word-break:break-all">${url}</a>${escape(rest.slice(path.length))}`;
  });
  return escape(before) + pieces.join('');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
