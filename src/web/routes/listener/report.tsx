import { t } from '@lingui/core/macro';
import { ReportPage } from '../../community/report-page.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/report';
import '../../styles/report.css';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { form } = context.get(requestContext);
  const about = url.searchParams.get('about') ?? '';
  const subject = about === '' ? undefined : await context.get(siteContext).notices.findSubject(about);
  return { about, subject: subject ?? null, form: form ?? null };
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
