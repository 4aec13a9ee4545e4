import { Hono } from 'hono';
import type { Blobs, Images } from '#domain/gateways.ts';
import type { Site } from '#domain/site.ts';
import { ConsentForm } from '#domain/verification/forms.ts';
import { inPath, isLanguage, sourceLanguage } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { isFromElsewhere } from '../api/same-site.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limits/limit-body.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { answerWithImage } from './images.ts';
import { answerFile } from './media.ts';

type Parts = {
  site: Pick<Site, 'facts' | 'verification'>;
  blobs: Blobs;
  images: Images;
  rateLimit: RateLimit;
  trustProxy: number;
  onMissingFile(file: { key: string }): void;
};

const cover = { width: 192, height: 192, quality: 80, format: 'webp', fit: 'cover' } as const;

/**
 * `POST /consent/{token}`: the answer of a performer, without a session and without scripts. `GET /consent/{token}/sound`
 * and `/cover`: the recording, which may be a draft. The page itself changes nothing, because mail scanners open links.
 */
export function consentRoutes({ site, blobs, images, rateLimit, trustProxy, onMissingFile }: Parts): Hono {
  const { verification } = site;
  const app = new Hono();

  app.post('/consent/:token', limitBody(8 * 1024), async (context) => {
    // Another site must not answer for a performer whose browser opened it.
    if (isFromElsewhere(context.req)) return errorResponse('request/invalid');
    if (!rateLimit(context, { kind: 'consent', perMinute: 30 })) return errorResponse('request/too-many');
    const token = context.req.param('token');
    const sent = new URLSearchParams(await context.req.text());
    const chosen = sent.get('language') ?? '';
    const language = isLanguage(chosen) ? chosen : sourceLanguage;
    const to = (step: string) =>
      context.redirect(inPath(language, `/consent/${encodeURIComponent(token)}${step}`, site.facts.languages), 303);
    context.header('cache-control', 'private, no-store');
    const act = sent.get('act');
    if (act === 'refuse') {
      const answered = await inLanguage(language, () => verification.answerConsent(token, { act: 'refuse' }));
      return to(answered.ok ? '' : '/ended');
    }
    if (act !== 'give') return errorResponse('request/invalid');
    const name = sent.get('credit') === 'name' ? (sent.get('name') ?? '').trim() : '';
    const form = ConsentForm.safeParse({
      recorded: sent.has('recorded'),
      published: sent.has('published'),
      downloaded: sent.has('downloaded'),
      name: name === '' ? null : name,
    });
    if (!form.success) return to(sent.has('recorded') && sent.has('published') ? '/name' : '/needs');
    const answer = { act: 'give', form: form.data } as const;
    const answered = await inLanguage(language, () => verification.answerConsent(token, answer));
    return to(answered.ok ? '' : '/ended');
  });

  app.get('/consent/:token/sound', async (context) => {
    const file = await verification.findConsentSound(context.req.param('token'));
    if (file === undefined) return errorResponse('request/not-found');
    return answerFile(context, file, { blobs, onMissingFile });
  });

  app.get('/consent/:token/cover', async (context) => {
    const key = await verification.findConsentCover(context.req.param('token'));
    if (key === undefined) return errorResponse('request/not-found');
    const answer = await answerWithImage(context, { images, key, variant: cover, trustProxy });
    answer.headers.set('cache-control', 'private, max-age=600');
    return answer;
  });

  return app;
}
