import { t } from '@lingui/core/macro';
import { redirect } from 'react-router';
import { AgeQuestion } from '../../age/age-question.tsx';
import { UnderAge } from '../../age/under-age.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { splitPrefix } from '#formats/languages.ts';
import { ownPath } from '#formats/own-path.ts';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/age';
import '../../styles/age.css';

const steps = ['statement', 'under'] as const;

export function loader({ context, params, request }: Route.LoaderArgs) {
  const { facts } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const step = orNotFound(steps.find((name) => name === params.step));
  const to = ownPath(new URL(request.url).searchParams.get('to'));
  if (step === 'statement' && viewer.ageMissing === undefined) throw redirect(splitPrefix(to).path);
  return { step, to, siteName: facts.name };
}

export const meta = metaOf(() => ({
  title: t`For adults`,
  description: t`The audios here are for adults.`,
  index: 'no' as const,
}));

export default function Age({ loaderData: { step, ...props } }: Route.ComponentProps) {
  return <div className="wrap">{step === 'under' ? <UnderAge {...props} /> : <AgeQuestion {...props} />}</div>;
}
