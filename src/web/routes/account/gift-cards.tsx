import { requestContext, siteContext } from '../../context.ts';
import { AccountGiftCards } from '../../membership/gift-cards/account-gift-cards.tsx';
import { metaOf } from '../../page-meta.ts';
import type { Route } from './+types/gift-cards';
import '../../styles/membership.css';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  return viewer.kind === 'visitor' ? null : context.get(siteContext).membership.listGiftCards(viewer.id);
}

export const meta = metaOf({ title: 'Gift cards', description: 'Gift cards that you have bought.', index: 'no' });

export default function GiftCards({ loaderData }: Route.ComponentProps) {
  return loaderData && <AccountGiftCards giftCards={loaderData} />;
}
