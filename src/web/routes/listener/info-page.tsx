import { siteContext } from '../../context.ts';
import { InfoText } from '../../editorial/info-text.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/info-page';
import '../../styles/editorial.css';

const names = ['about', 'terms', 'privacy'] as const;

export function loader({ context, request }: Route.LoaderArgs) {
  // The router matches in any case.
  const path = new URL(request.url).pathname.toLowerCase();
  const name = orNotFound(names.find((one) => path.startsWith(`/${one}`)));
  return context.get(siteContext).editorial.findInfoPage(name);
}

export function meta({ loaderData, ...args }: Route.MetaArgs) {
  return pageMeta(args, loaderData);
}

export default function InfoPage({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <InfoText {...loaderData} />
    </div>
  );
}
