import { plural, t } from '@lingui/core/macro';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import type { AgeWay } from '#domain/age/rules.ts';
import type { AgeSettings } from '#domain/age/settings.ts';
import type { IssuerEnd, IssuerFacts } from '#domain/age/wallet/certificates.ts';
import { formatDate } from '#formats/times.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { FormDialog } from '#web/workshop/form-dialog.tsx';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';
import { useCall } from '../use-call.ts';
import { wayLabels } from './age-words.ts';
import { Line } from './check-parts.tsx';
import { Part } from '#web/workshop/forms/settings-part.tsx';

type Issuer = IssuerFacts & { ends: IssuerEnd };

type AgeWaysProps = {
  ways: AgeSettings['ways'];
  usable: readonly AgeWay[];
  provider: { name: string; host: string } | undefined;
  issuers: readonly Issuer[];
  onChange: (change: Partial<AgeSettings['ways']>) => void;
};

/** A switch for each way to prove an age, and the issuers whose proofs count. */
export function AgeWays({ ways, usable, provider, issuers, onChange }: AgeWaysProps) {
  const texts: Record<AgeWay, string> = {
    wallet: usable.includes('wallet')
      ? `eu.europa.ec.av.1, ${plural(issuers.length, { one: '# trusted issuer', other: '# trusted issuers' })}`
      : t`eu.europa.ec.av.1. Needs a trusted issuer whose certificate is valid.`,
    provider:
      provider === undefined
        ? t`Not set. AGE_PROVIDER_ISSUER names a provider of OpenID Connect.`
        : t`OpenID Connect at ${{ host: provider.host }}`,
    'stand-in': t`On this machine only. Off where others can open the site.`,
  };
  const hasWay = usable.some((way) => ways[way]);
  return (
    <Part
      title={t`Ways of proof`}
      help={t`Each way that is on is offered to visitors. None of them passes on a name, a birthday or a document.`}
    >
      {(['wallet', 'provider', 'stand-in'] as const).map((way) => (
        <SwitchRow
          key={way}
          label={way === 'provider' && provider ? provider.name : wayLabels[way]()}
          text={texts[way]}
          isOn={ways[way] && usable.includes(way)}
          disabled={!usable.includes(way)}
          onChange={(isOn) => onChange({ [way]: isOn })}
        />
      ))}
      {!hasWay && (
        <ul className="check-list">
          <Line name={t({ message: 'None', context: 'way of proof' })} state="unknown">
            {t`Proof needs a way that is on. Without one, rules and presets that ask for proof cannot be chosen.`}
          </Line>
        </ul>
      )}
      <Issuers issuers={issuers} />
    </Part>
  );
}

const states = { over: 'FAIL', soon: 'warn', later: 'ok' } as const;

function Issuers({ issuers }: { issuers: readonly Issuer[] }) {
  const { call } = useCall();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <div className="mt-4 border-t border-line pt-4.5">
      <h3 className="text-16 font-semibold">{t`Trusted issuers`}</h3>
      <p className="mt-1 text-13 text-muted">
        {t`Wallets bring proofs of these issuers, or of those that they vouch for. Save takes no part in this list.`}
      </p>
      <ul className="check-list">
        {issuers.map(({ fingerprint, name, validFrom, validUntil, ends }) => (
          <Line
            key={fingerprint}
            name={name}
            state={states[ends]}
            act={
              <IconButton
                icon={Trash2}
                label={t`Remove ${{ place: name }}`}
                onClick={() =>
                  void call(fingerprint, () =>
                    api.admin.settings.age.issuers[':fingerprint'].$delete({ param: { fingerprint } }),
                  )
                }
              />
            }
          >
            {t`Valid from ${{ from: formatDate(validFrom) }} until ${{ until: formatDate(validUntil) }}`}
          </Line>
        ))}
      </ul>
      <Button size="sm" className="mt-3" onClick={() => setIsAdding(true)}>
        <Icon of={Plus} size={16} />
        {t`Trusted issuer`}
      </Button>
      {isAdding && <AddIssuer onClose={() => setIsAdding(false)} />}
    </div>
  );
}

function AddIssuer({ onClose }: { onClose: () => void }) {
  const { call } = useCall();
  const [certificate, setCertificate] = useState('');
  const [refusal, setRefusal] = useState<string>();
  return (
    <FormDialog
      title={t`Trust an issuer`}
      description={t`Paste its certificate, or that of the authority that vouches for it, as the list of your country has it.`}
      verb={t`Add`}
      isReady={certificate.trim() !== ''}
      onSubmit={() =>
        call('add', () => answerOf(api.admin.settings.age.issuers.$post({ json: { certificate } })), {
          isShown: ({ message }) => {
            setRefusal(message);
            return true;
          },
        })
      }
      onClose={onClose}
    >
      <TextArea
        label={t`Certificate (PEM)`}
        error={refusal}
        rows={8}
        maxLength={8192}
        value={certificate}
        onChange={({ target }) => setCertificate(target.value)}
      />
    </FormDialog>
  );
}
