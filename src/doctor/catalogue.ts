import { countOf } from '#formats/numbers.ts';
import type { StoredSite } from './database.ts';
import type { Report } from './report.ts';

export async function checkCatalogue({ opened }: StoredSite, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ published: number; drafts: number }>(
    `select (select count(*)::int from audios where published_at <= now()) as published,
       (select count(*)::int from audios where deleted_at is null and (published_at is null or published_at > now())) as drafts`,
  );
  const { published, drafts } = rows[0] ?? { published: 0, drafts: 0 };
  if (published === 0) report('warn', 'Catalogue', 'nothing is published; see npm run sotto -- help import');
  else report('ok', 'Catalogue', `${countOf(published, 'audio')} published, ${drafts} not`);
}

const previewProblems = {
  none: 'none is set',
  gone: 'the audio it names was deleted',
  unpublished: 'the audio it names is not published',
};

/** The preview is the audio that visitors may hear before they subscribe. */
export async function checkPreview({ opened }: StoredSite, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ preview: 'gone' | 'unpublished' | 'published' }>(
    `select case when a.id is null then 'gone' when a.published_at <= now() then 'published' else 'unpublished' end as preview
     from site_settings s left join audios a on a.id::text = s.value ->> 'audioId' where s.key = 'preview'`,
  );
  const preview = rows[0]?.preview ?? 'none';
  if (preview === 'published') return report('ok', 'Preview', 'set, and published');
  const advice = 'visitors have no preview; choose one with npm run sotto -- preview choose --audio <slug>';
  report('warn', 'Preview', `${previewProblems[preview]}; ${advice}`);
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
      `${countOf(audios, 'audio')} of ${slug} can be heard, although the creator is hidden; show and hide the creator again in Admin`,
    );
}
