import { t } from '@lingui/core/macro';
import { requestContext, siteContext } from '../../context.ts';
import { AccountGiftCards } from '../../membership/gift-cards/account-gift-cards.tsx';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/gift-cards';
import '../../styles/membership.css';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  return viewer.kind === 'visitor' ? null : context.get(siteContext).membership.listGiftCards(viewer.id);
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Gift cards`, description: t`Gift cards that you have bought.`, index: 'no' });

export default function GiftCards({ loaderData }: Route.ComponentProps) {
  return loaderData && <AccountGiftCards giftCards={loaderData} />;
}
