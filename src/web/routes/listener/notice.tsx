import { t } from '@lingui/core/macro';
import { NoticePage } from '../../community/notice-page.tsx';
import { NoticeReceipt } from '../../community/notice-receipt.tsx';
import { siteContext } from '../../context.ts';
import { linkPageMeta } from '../../identity/link-page.tsx';
import { orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/notice';
import '../../styles/report.css';

/** The private page of a notice; `?received` shows the receipt. */
export async function loader({ context, params: { token }, url }: Route.LoaderArgs) {
  const { notices, facts } = context.get(siteContext);
  const state = orNotFound(await notices.findNoticeState(token));
  return { state, token, link: `${facts.url}/report/${token}`, isReceipt: url.searchParams.has('received') };
}

export function meta(args: Route.MetaArgs) {
  return linkPageMeta(args, { title: t`Report`, description: t`Where a report stands` });
}

export default function Notice({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      {loaderData.isReceipt && loaderData.state.side === 'reporter' ? (
        <NoticeReceipt {...loaderData} />
      ) : (
        <NoticePage {...loaderData} />
      )}
    </div>
  );
}
