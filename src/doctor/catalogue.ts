import type { StoredSite } from './database.ts';
import { type Report, reportOn } from './report.ts';

export async function checkCatalogue({ opened }: StoredSite, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ published: number; drafts: number }>(
    `select (select count(*)::int from audios where published_at <= now()) as published,
       (select count(*)::int from audios where deleted_at is null and (published_at is null or published_at > now())) as drafts`,
  );
  const { published, drafts } = rows[0] ?? { published: 0, drafts: 0 };
  const part = reportOn('Catalogue', report);
  if (published === 0)
    part.warn(
      /*i18n*/ {
        id: 'doctor.catalogue.empty',
        message: 'nothing is published; see {command}',
        values: { command: 'npm run sotto -- help import' },
      },
    );
  else
    part.ok(
      /*i18n*/ {
        id: 'doctor.catalogue',
        message:
          '{published, plural, one {# audio published} other {# audios published}}, {drafts, plural, one {# not} other {# not}}',
        values: { published, drafts },
      },
    );
}

const choosing = { command: 'npm run sotto -- preview choose --audio <slug>' };
const previewProblems = {
  none: /*i18n*/ {
    id: 'doctor.preview.none',
    message: 'none is set; visitors have no preview; choose one with {command}',
    values: choosing,
  },
  gone: /*i18n*/ {
    id: 'doctor.preview.gone',
    message: 'the audio it names was deleted; visitors have no preview; choose one with {command}',
    values: choosing,
  },
  unpublished: /*i18n*/ {
    id: 'doctor.preview.unpublished',
    message: 'the audio it names is not published; visitors have no preview; choose one with {command}',
    values: choosing,
  },
};

/** The preview is the audio that visitors may hear before they subscribe. */
export async function checkPreview({ opened }: StoredSite, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ preview: 'gone' | 'unpublished' | 'published' }>(
    `select case when a.id is null then 'gone' when a.published_at <= now() then 'published' else 'unpublished' end as preview
     from site_settings s left join audios a on a.id::text = s.value ->> 'audioId' where s.key = 'preview'`,
  );
  const preview = rows[0]?.preview ?? 'none';
  if (preview === 'published')
    report('ok', 'Preview', /*i18n*/ { id: 'doctor.preview', message: 'set, and published' });
  else report('warn', 'Preview', previewProblems[preview]);
}

/** Hiding a creator hides all audios at once; one that is public nevertheless was published behind the site's back. */
export async function checkHiddenCreators({ opened }: StoredSite, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ slug: string; audios: number }>(
    `select v.slug, count(*)::int as audios from voices v join audios a on a.voice_id = v.id
     where v.hidden_at is not null and a.published_at is not null group by v.id order by v.slug`,
  );
  for (const { slug, audios } of rows)
    report(
      'FAIL',
      'Hidden creators',
      /*i18n*/ {
        id: 'doctor.hidden-creators',
        message:
          '{audios, plural, one {# audio of {slug} can be heard, although the creator is hidden} other {# audios of {slug} can be heard, although the creator is hidden}}; show and hide the creator again in Admin',
        values: { audios, slug },
      },
    );
}
