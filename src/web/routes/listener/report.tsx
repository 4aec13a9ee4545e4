import { t } from '@lingui/core/macro';
import { ReportPage } from '../../community/report-page.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/report';
import '../../styles/report.css';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { form, viewer } = context.get(requestContext);
  const { notices } = context.get(siteContext);
  const about = url.searchParams.get('about') ?? '';
  const subject = about === '' ? undefined : await notices.findSubject(about);
  const own = viewer.kind === 'user' ? await notices.findOwnReport(viewer, subject ?? about) : undefined;
  return { about, subject: subject ?? null, own: own ?? null, form: form ?? null };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: t`Report content`, description: t`No account needed.`, index: 'no' });
}

export default function Report({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <ReportPage {...loaderData} />
    </div>
  );
}
