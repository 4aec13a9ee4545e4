import { t } from '@lingui/core/macro';
import BadgeCheck from 'lucide-react/icons/badge-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { CheckFailure } from '#domain/verification/provider-checks.ts';
import { Banner } from './banner.tsx';

const failures: Record<CheckFailure, (name: string) => string> = {
  'not-verified': (name) => t`${name} did not say that it has checked who you are.`,
  denied: () => t`You did not allow it.`,
  unchecked: () => t`The answer could not be checked. Please start again.`,
  unavailable: (name) => t`${name} does not answer at the moment. Please try again later.`,
  'not-now': () => t`A check counts already, or the operator has decided. You can ask the operator.`,
  'owners-only': () => t`Only owners of a creator can be checked.`,
  'not-found': () => t`You were logged out meanwhile. Please start again.`,
};

/** After a visit to the identity provider. @param check of the address */
export function CheckOutcome({ check, name }: { check: string; name: string }) {
  if (check === 'done')
    return (
      <Banner icon={BadgeCheck} title={t`${name} has confirmed who you are`}>
        {t`Only the result, its number and the date are kept.`}
      </Banner>
    );
  const failure = Object.entries(failures).find(([one]) => one === check)?.[1];
  if (failure === undefined) return null;
  return (
    <Banner icon={TriangleAlert} tone="bad" title={t`You are not verified by ${name}`}>
      {failure(name)} {t`Nothing was kept.`}
    </Banner>
  );
}
