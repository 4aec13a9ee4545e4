import { t } from '@lingui/core/macro';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { AllMonths } from '../../studio/earnings/all-months.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { useStudio } from '../../studio/use-studio.ts';
import type { Route } from './+types/earnings';

/** A 404 for editors, who do not see earnings. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const [earnings, payee] = await Promise.all([
    site.earnings.listEarnings(viewer, voice.id),
    site.studio.findPayee(viewer, voice.id),
  ]);
  return { earnings: orNotFound(earnings), payee: orNotFound(payee), countries: site.age.countryChoices() };
}

export const meta = metaOf(() => ({ title: t`Earnings`, description: t`Earnings`, index: 'no' }));

export default function StudioEarnings({ loaderData }: Route.ComponentProps) {
  return <AllMonths voice={useStudio().voice.slug} {...loaderData} />;
}
