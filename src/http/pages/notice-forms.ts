import { type Context, Hono } from 'hono';
import { tooManyReports } from '#api/notices.ts';
import { say } from '#domain/kernel/errors.ts';
import { AppealForm, ReportContent, readReportForm } from '#domain/notices/forms.ts';
import { type ReportField, reportFields } from '#domain/notices/rules.ts';
import type { Site } from '#domain/site.ts';
import { languageOfPath, prefixOf } from '#formats/languages.ts';
import { language } from '#i18n';
import type { SentForm } from '#web/context.ts';
import { isFromElsewhere } from '../api/same-site.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limits/limit-body.ts';
import { clientAddress } from '../limits/rate-limit.ts';
import { findPageViewer } from '../viewer.ts';

type Parts = {
  site: Site;
  secure: boolean;
  trustProxy: number;
  /** Renders a page with a form that was sent with faults. */
  show(context: Context, url: string, form: SentForm): Promise<Response>;
};

/**
 * The forms of reports for browsers without JavaScript. With it, the pages send them by the API, and the sound goes on.
 */
export function noticeForms({ site, secure, trustProxy, show }: Parts) {
  const prefixIn = (path: string) => {
    const { languages } = site.facts;
    return prefixOf(languageOfPath(languages, path), languages);
  };

  /** @returns the form; or the answer to one from elsewhere, or to one too many */
  async function receive(context: Context) {
    if (isFromElsewhere(context.req)) return errorResponse('request/invalid');
    const { viewer } = await findPageViewer(site, context.req.raw, secure);
    const account = viewer.kind === 'user' ? viewer.id : undefined;
    const address = clientAddress(context, trustProxy);
    const refusal = await site.identity.attempts.take('notice', { account, address });
    if (refusal !== undefined)
      return errorResponse('request/too-many', undefined, { 'retry-after': String(refusal.retryAfter) });
    return { viewer, address, fields: new URLSearchParams(await context.req.text()) };
  }

  async function give(context: Context): Promise<Response> {
    const received = await receive(context);
    if (received instanceof Response) return received;
    const prefix = prefixIn(context.req.path);
    const values = readReportForm(received.fields);
    const { success, data, error } = ReportContent.safeParse(values);
    let faults: readonly ReportField[] = reportFields.filter((name) =>
      error?.issues.some(({ path }) => path[0] === name),
    );
    let failure: string | undefined;
    if (success) {
      const given = await site.notices.giveNotice(received.viewer, data, language(), received.address);
      if (given.ok) return context.redirect(`${prefix}/report/${given.token}?received=1`, 303);
      if (given.reason === 'faults') faults = given.faults;
      else failure = say(tooManyReports(given).sentence);
    }
    const query = new URLSearchParams({ about: values['about'] ?? '' });
    return show(context, `${site.facts.url}${prefix}/report?${query}`, { values, faults, failure });
  }

  async function reply(context: Context, send: (token: string, text: string) => Promise<unknown>): Promise<Response> {
    const received = await receive(context);
    if (received instanceof Response) return received;
    const token = context.req.param('token') ?? '';
    const { data } = AppealForm.safeParse({ reasons: received.fields.get('reasons') ?? '' });
    if (data !== undefined) await send(token, data.reasons);
    return context.redirect(`${prefixIn(context.req.path)}/report/${encodeURIComponent(token)}`, 303);
  }

  const app = new Hono();
  for (const at of ['/report', '/:language{[a-z][a-z]}/report'])
    app
      .post(at, limitBody(64 * 1024), give)
      .post(`${at}/:token/appeal`, limitBody(64 * 1024), (context) => reply(context, site.notices.appeal))
      .post(`${at}/:token/answer`, limitBody(64 * 1024), (context) => reply(context, site.notices.answerQuestion));
  return app;
}
