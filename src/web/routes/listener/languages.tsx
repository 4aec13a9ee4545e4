import { t } from '@lingui/core/macro';
import { href, redirect } from 'react-router';
import { requestContext } from '../../context.ts';
import { ListenedLanguages } from '../../library/listened-languages.tsx';
import { loadListened } from '../../library/load-listened.ts';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/languages';

/** For visitors; in the account it is a part. */
export async function loader({ context, request }: Route.LoaderArgs) {
  if (context.get(requestContext).viewer.kind === 'user') throw redirect(href('/account/language'));
  return loadListened(context, request);
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Languages I listen to`,
    description: t`Languages of the audios that you see.`,
    index: 'no',
  });

export default function Languages({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <h1 className="text-60 pt-6 pb-6">{t`Language`}</h1>
      <ListenedLanguages {...loaderData} />
    </div>
  );
}
