import { t } from '@lingui/core/macro';
import { isOperator } from '#domain/admin/rules.ts';
import { SecondFactor } from '#web/admin/second-factor/second-factor.tsx';
import { adminAddress } from '#web/admin/admin-address.ts';
import { requestContext, siteContext } from '#web/context.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import type { Route } from './+types/second-factor';
import '#web/workshop.css';

/** Without `adminViewer`, which redirects here. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  const operator = orNotFound(viewer.kind === 'user' && isOperator(viewer) ? viewer : undefined);
  const state = await context.get(siteContext).identity.secondFactor.findSecondFactor(operator.id);
  return { step: operator.adminStep ?? null, state, to: adminAddress(url.searchParams.get('to')) };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: t`Second factor`, description: t`How you show Admin that it is you`, index: 'no' });
}

export default function AdminSecondFactor({ loaderData: { step, state, to } }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[520px] pt-16">
        <SecondFactor step={step} state={state} to={to} />
      </div>
    </div>
  );
}
