import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Plus from 'lucide-react/icons/plus';
import Search from 'lucide-react/icons/search';
import Send from 'lucide-react/icons/send';
import { useState } from 'react';
import { type CreditRole, creditDescriptions, creditNameLength, creditRoles } from '#domain/catalogue/credits/rules.ts';
import { type Answer, answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/fields/field.tsx';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Form } from '#web/workshop/form.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { searchPauseMs } from '#web/workshop/forms/token-field.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { useCombobox } from '#web/workshop/use-combobox.ts';

type Creator = { id: string; name: string; imageUrl: string | null };
/** `creator` null: a name only. `isOffered`: before anything was typed. */
type Who = { name: string; creator: Creator | null; isOffered?: true };

export const roleChoices = () => creditRoles.map((value) => ({ value, label: creditDescriptions[value].label() }));

async function findCreators(query: string, signal: AbortSignal): Promise<Answer<{ items: Who[] }>> {
  const answer = await answerOf(
    api.search.$get({ query: { query, index: 'voices', limit: '6' } }, { init: { signal } }),
  );
  if (!answer.ok) return answer;
  const items = answer.data.voices.hits.map(({ id, name, imageURL }) => ({
    name,
    creator: { id, name, imageUrl: imageURL },
  }));
  return { ...answer, data: { items } };
}

type AddCreditProps = {
  /** The creators of this account; they are not asked. */
  own: Creator[];
  /** @returns the refusal, if any */
  onAdd: (
    credit: { role: CreditRole; name: string } | { role: CreditRole; voiceId: string },
  ) => Promise<string | undefined>;
};

/** Names a creator of this site, who is asked, or somebody else. */
export function AddCredit({ own, onAdd }: AddCreditProps) {
  const [role, setRole] = useState<CreditRole>('performer');
  const [who, setWho] = useState<Who>();
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const asks = who !== undefined && who.creator !== null && own.every(({ id }) => id !== who.creator?.id);

  function choose(chosen: Who | undefined): void {
    setWho(chosen);
    setRefusal(undefined);
  }

  async function add(): Promise<void> {
    if (who === undefined || isBusy) return;
    setIsBusy(true);
    const refused = await onAdd({ role, ...(who.creator === null ? { name: who.name } : { voiceId: who.creator.id }) });
    setIsBusy(false);
    setRefusal(refused);
    if (refused === undefined) setWho(undefined);
  }

  return (
    <Pane title={t`Add a credit`}>
      <Form onSubmit={() => void add()}>
        <ChoiceField
          label={t({ message: 'Part', context: 'of somebody in an audio' })}
          none={null}
          value={role}
          options={roleChoices()}
          onChoose={(value) => {
            setRole(value as CreditRole);
            setRefusal(undefined);
          }}
        />
        {who === undefined ? (
          <WhoField own={own} onChoose={choose} />
        ) : (
          <div className="flex items-center gap-3">
            <Portrait of={who} />
            <p className="min-w-0 flex-1 text-14">
              <b className="block truncate font-semibold">
                <bdi>{who.name}</bdi>
              </b>
              <span className="text-13 text-muted">{who.creator === null ? t`A name only` : t`Creator here`}</span>
            </p>
            <Button size="sm" variant="ghost" onClick={() => choose(undefined)}>
              {t`Change`}
            </Button>
          </div>
        )}
        {asks && (
          <p className="text-13 text-muted">
            <Trans>They get an email. Listeners see the credit after they accepted.</Trans>
          </p>
        )}
        {refusal !== undefined && <FieldError>{refusal}</FieldError>}
        <Button
          type="submit"
          variant="primary"
          disabled={who === undefined}
          busy={isBusy ? (asks ? t`Asking…` : t`Adding…`) : undefined}
        >
          <Icon of={asks ? Send : Plus} size={18} />
          {asks ? t`Ask them` : t`Add`}
        </Button>
      </Form>
    </Pane>
  );
}

export function Portrait({
  of: { name, creator },
}: {
  of: { name: string; creator: { imageUrl: string | null } | null };
}) {
  return creator === null ? (
    <Avatar name={name} size={40} />
  ) : (
    <Cover imageUrl={creator.imageUrl} shape="circle" size={40} />
  );
}

/** Finds creators while somebody types; the typed name itself is the last option. */
function WhoField({ own, onChoose }: { own: Creator[]; onChoose: (who: Who) => void }) {
  const { id, field, list, option, options, active, shown } = useCombobox<Who>({
    pauseMs: searchPauseMs,
    searchesEmpty: true,
    search: async (text, signal) =>
      text === ''
        ? { ok: true, data: { items: own.map((creator) => ({ name: creator.name, creator, isOffered: true })) } }
        : findCreators(text, signal),
    optionsOf: (items, text) =>
      text === '' ? items : [...items.filter(({ isOffered }) => !isOffered), { name: text, creator: null }],
    onChoose,
  });
  return (
    <div className="field relative">
      <label htmlFor={id}>{t`Who`}</label>
      <div className="input">
        <Icon of={Search} size={18} />
        <input
          {...field}
          id={id}
          className="input__field"
          type="search"
          maxLength={creditNameLength}
          placeholder={t`Name of a creator or somebody else`}
        />
      </div>
      {options.length > 0 && (
        <ul {...list} className="choice-list absolute inset-x-0 z-10" aria-label={t`Who can be credited`}>
          {options.map((who, index) => (
            <li {...option(who, index)} key={who.creator?.id ?? ''}>
              <Portrait of={who} />
              <span className="min-w-0">
                <b className="block truncate">{who.name}</b>
                <small>{who.creator === null ? t`Add as a name only` : t`Creator here`}</small>
              </span>
              <span className="text-13 text-muted">
                {index === active ? t({ message: 'Enter', context: 'key' }) : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      <output className="text-13 mt-2 block text-muted">{shown && 'failure' in shown && shown.failure}</output>
    </div>
  );
}
