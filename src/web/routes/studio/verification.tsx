import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import FilePenLine from 'lucide-react/icons/file-pen-line';
import { metaOf } from '../../page-meta.ts';
import { managedVoice } from '../../studio/managed-voice.ts';
import { CheckOutcome } from '../../studio/verification/check-outcome.tsx';
import { AgreementPane, AgreementsSoFar } from '../../studio/verification/agreement-panes.tsx';
import { Banner } from '../../studio/verification/banner.tsx';
import { VerificationPane } from '../../studio/verification/verification-pane.tsx';
import { useStudio } from '../../studio/use-studio.ts';
import { useRootData } from '../../root-data.ts';
import { Pane } from '../../workshop/pane.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/verification';

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { site, voice } = await managedVoice(context, params.voice);
  const [verification, agreement] = await Promise.all([
    site.verification.findVerification(voice.id),
    site.verification.findAgreement(voice.id),
  ]);
  const { provider } = site.verification.providerChecks;
  return { verification, agreement: agreement ?? null, provider, check: url.searchParams.get('check') };
}

export const meta = metaOf(() => ({ title: t`Verification`, description: t`Verification`, index: 'no' }));

export default function StudioVerification({
  loaderData: { verification, agreement, provider, check },
}: Route.ComponentProps) {
  const { voice, counts } = useStudio();
  const siteName = useRootData()?.siteName ?? '';
  const isNewVersion = agreement?.isWaiting === true && agreement.accepted.length > 0;
  return (
    <>
      <WorkshopHead
        title={t`Verification`}
        facts={t`Who you are, checked outside of ${siteName}. No document is kept here.`}
      />
      {isNewVersion && (
        <Banner icon={FilePenLine} title={t`The creator agreement has a new version`}>
          <Trans>
            Read version {agreement.version} and agree before your next publication. What is online stays online.
          </Trans>
        </Banner>
      )}
      {provider && check !== null && <CheckOutcome check={check} name={provider.name} />}
      <div className="main-and-aside">
        <div className="stack">
          {agreement === null ? (
            <Pane title={t`Creator agreement`}>
              <p className="text-14 text-muted">
                <Trans>The operator of this site asks for no agreement.</Trans>
              </p>
            </Pane>
          ) : (
            <>
              <AgreementPane voice={voice} agreement={agreement} />
              <AgreementsSoFar accepted={agreement.accepted} />
            </>
          )}
        </div>
        <aside className="stack" aria-label={t`Record of the check`}>
          <VerificationPane voice={voice} verification={verification} provider={provider} audios={counts.audios} />
          <Pane title={t`What is kept`}>
            <p className="text-14 leading-normal text-muted">
              <Trans>
                Method, reference, who checked and when. No photo, no document, no birthday. The operator can show this
                record to an authority.
              </Trans>
            </p>
          </Pane>
        </aside>
      </div>
    </>
  );
}
