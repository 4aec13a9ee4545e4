import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useCallback, useState } from 'react';
import { href, useNavigate } from 'react-router';
import {
  type VoiceLink,
  isHttps,
  licenseName,
  licenses,
  maxLinks,
  maxRecommended,
  voiceLimits,
} from '#domain/catalogue/rules.ts';
import { type FeedRecording, feedRecordings } from '#domain/feeds/rules.ts';
import type { VoiceProfile } from '#domain/studio/profiles.ts';
import type { LanguageChoice } from '#formats/language-names.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { CheckBox } from '../ui/fields/check-box.tsx';
import { Field } from '../ui/fields/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Note } from '../ui/note.tsx';
import { TextArea } from '../ui/fields/text-area.tsx';
import { ChoiceField } from '../workshop/forms/choice-field.tsx';
import { SwitchRow } from '../workshop/forms/switch-row.tsx';
import { LanguageField } from '../workshop/forms/language-field.tsx';
import { type Suggestions, searchPauseMs, TokenField } from '../workshop/forms/token-field.tsx';
import { EditedButtons } from '../workshop/forms/edited-buttons.tsx';
import { useEdited } from '../workshop/forms/use-edited.ts';

type ProfileFormProps = {
  profile: VoiceProfile;
  /** Names of the creators whom this one recommends. */
  recommended: { id: string; name: string }[];
  /** Titles of the audios that speak in private feeds. */
  recordings: { id: string; title: string }[];
  /** The creator's own series, one of which links can lead to. */
  series: { id: string; title: string }[];
  languages: LanguageChoice[];
  /** Whether the site does. */
  offersTips: boolean;
};

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const beginningOfLink = 'https://';

/** Finds creators by name. @param ownId is not offered */
async function findCreators(query: string, ownId: string): Promise<Suggestions> {
  if (query === '') return [];
  const answer = await answerOf(api.search.$get({ query: { query, index: 'voices', limit: '10' } }));
  if (!answer.ok) return { failure: answer.message };
  const { hits } = answer.data.voices;
  return hits.filter(({ id }) => id !== ownId).map(({ id, name, slug }) => ({ value: id, label: name, detail: slug }));
}

/** Finds public audios of the creator, as podcast apps may keep. */
async function findOwnAudios(q: string, id: string): Promise<Suggestions> {
  const answer = await answerOf(
    api.studio.voices[':id'].audios.$get({ param: { id }, query: { q, state: 'published', limit: '10' } }),
  );
  if (!answer.ok) return { failure: answer.message };
  return answer.data.items.map(({ id: value, title: label }) => ({ value, label }));
}

const recordingLabels: Record<FeedRecording, () => string> = {
  welcome: () => t`Welcome in private feeds`,
  payment: () => t`After a failed payment`,
  farewell: () => t`Farewell in private feeds`,
};

/** Name, address, text, language, links, recommended creators, linked series and feed of a creator's page. */
export function ProfileForm({ profile, recommended, recordings, series, languages, offersTips }: ProfileFormProps) {
  const navigate = useNavigate();
  const { id, ...saved } = profile;
  const suggest = useCallback((text: string) => findCreators(text, id), [id]);
  const edited = useEdited({
    key: `page of ${id}`,
    subject: { type: 'voice', id },
    saved,
    send: async (_values, changed, before) => {
      const json = { ...changed, before };
      const answer = await answerOf(api.studio.voices[':id'].$patch({ param: { id }, json }));
      // The Studio's own addresses contain the slug too.
      if (answer.ok && answer.data.slug !== saved.slug)
        await navigate(href('/studio/:voice/voice', { voice: answer.data.slug }), { replace: true });
      return answer;
    },
    done: t`Page saved`,
  });
  const { isChanged, error, errorCode, change } = edited;
  const {
    name,
    slug,
    bio,
    language,
    links,
    recommendedIds,
    linkedSeriesId,
    license,
    directoryText,
    takesTips,
    tipThanks,
  } = edited.values;
  const [names, setNames] = useState(() => new Map(recommended.map((one) => [one.id, one.name])));
  const [titles, setTitles] = useState(() => new Map(recordings.map((one) => [one.id, one.title])));
  const suggestAudios = useCallback((text: string) => findOwnAudios(text, id), [id]);
  const isSlugTaken = errorCode === 'voice/address-taken';
  const nameError = name.trim() === '' ? t`Enter a name` : undefined;
  const slugError = slugPattern.test(slug) ? undefined : t`Use small letters, digits and hyphens, such as maren-holt`;
  const isReady =
    isChanged &&
    !nameError &&
    !slugError &&
    links.every(({ label, url }) => label.trim() !== '' && isHttps(url.trim()));

  function setLink(index: number, part: Partial<VoiceLink>): void {
    change({ links: links.map((link, at) => (at === index ? { ...link, ...part } : link)) });
  }

  return (
    <form
      className="field-list"
      aria-label={t`Page`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void edited.save();
      }}
    >
      {error !== undefined && !isSlugTaken && <Note tone="error">{error}</Note>}
      <div className="field-pair">
        <Field
          label={t`Name`}
          autoComplete="off"
          maxLength={voiceLimits.name}
          error={nameError}
          value={name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Field
          label={t`Address`}
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          hint={`/creators/${slug}`}
          error={slugError ?? (isSlugTaken ? error : undefined)}
          value={slug}
          onChange={({ target }) => change({ slug: target.value })}
        />
      </div>
      <TextArea
        label={t`Text`}
        rows={6}
        maxLength={voiceLimits.bio}
        length={bio.length}
        value={bio}
        onChange={({ target }) => change({ bio: target.value })}
      />
      <LanguageField
        label={t`Language of the text and of new audios`}
        value={language}
        choices={languages}
        onChoose={(value) => change({ language: value })}
      />
      <fieldset className="grid gap-3">
        <legend className="mb-2 p-0 text-13 font-semibold text-soft">
          <Trans>Links</Trans>
        </legend>
        {links.length === 0 && (
          <p className="text-13 text-muted">
            <Trans>Your website or shop. Links are shown under the text of your page.</Trans>
          </p>
        )}
        {links.map((link, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- links have nothing else that stays
          <div key={index} className="flex items-start gap-2">
            <div className="field-pair min-w-0 flex-1">
              <Field
                label={t`Name of link ${{ number: index + 1 }}`}
                autoComplete="off"
                maxLength={voiceLimits.linkLabel}
                value={link.label}
                onChange={({ target }) => setLink(index, { label: target.value })}
              />
              <Field
                label={t`Address of link ${{ number: index + 1 }}`}
                type="url"
                autoComplete="off"
                placeholder={beginningOfLink}
                maxLength={voiceLimits.linkUrl}
                error={
                  link.url === '' || isHttps(link.url.trim()) ? undefined : t`Use an address that begins with https://`
                }
                value={link.url}
                onChange={({ target }) => setLink(index, { url: target.value })}
              />
            </div>
            <IconButton
              className="mt-6"
              label={t`Remove link ${{ number: index + 1 }}`}
              icon={X}
              onClick={() => change({ links: links.toSpliced(index, 1) })}
            />
          </div>
        ))}
        {links.length < maxLinks ? (
          <div>
            <Button size="sm" onClick={() => change({ links: [...links, { label: '', url: '' }] })}>
              <Icon of={Plus} size={16} />
              <Trans>Add a link</Trans>
            </Button>
          </div>
        ) : (
          <p className="text-13 text-muted">
            {plural({ count: maxLinks }, { one: 'You can add # link.', other: 'You can add up to # links.' })}
          </p>
        )}
      </fieldset>
      <ChoiceField
        label={t`Links to you lead to`}
        value={linkedSeriesId ?? ''}
        none={t`This page`}
        options={series.map(({ id, title }) => ({ value: id, label: t`The series “${title}”` }))}
        onChoose={(value) => change({ linkedSeriesId: value || null })}
      />
      <div>
        <TokenField
          label={t`Creators you recommend`}
          placeholder={t`Name of a creator`}
          tokens={recommendedIds.map((value) => ({ value, label: names.get(value) ?? '' }))}
          max={maxRecommended}
          suggest={suggest}
          pauseMs={searchPauseMs}
          onChange={(tokens) => {
            setNames(new Map([...names, ...tokens.map((token) => [token.value, token.label] as const)]));
            change({ recommendedIds: tokens.map((token) => token.value) });
          }}
        />
        <p className="mt-2 text-13 text-muted">
          <Trans>Listeners see them under your audios, and podcast apps in your feed.</Trans>
        </p>
      </div>
      <ChoiceField
        label={t`License of your free audios`}
        value={license}
        none={t`None: all rights reserved`}
        options={licenses.map((one) => ({ value: one, label: licenseName(one) }))}
        onChoose={(value) => change({ license: licenses.find((one) => one === value) ?? '' })}
      >
        <small className="hint">
          <Trans>Podcast apps show it. It cannot be taken back from those who already rely on it.</Trans>
        </small>
      </ChoiceField>
      <Field
        label={t`Text for podcast directories`}
        isOptional
        hint={t`A directory that asks whether the feed is yours gives you a text. Put it here until it has found it.`}
        autoComplete="off"
        maxLength={voiceLimits.directoryText}
        value={directoryText}
        onChange={({ target }) => change({ directoryText: target.value })}
      />
      <div>
        <CheckBox
          checked={edited.values.allowsClips}
          onChange={({ target }) => change({ allowsClips: target.checked })}
        >
          <Trans>Listeners may share clips of your free audios, up to a minute each</Trans>
        </CheckBox>
        <p className="hint mt-2">
          <Trans>If you turn it off, clips that were shared do not work either.</Trans>
        </p>
      </div>
      {offersTips && (
        <fieldset>
          <legend className="field-label">
            <Trans>Tips</Trans>
          </legend>
          <SwitchRow
            label={t`Take tips`}
            text={t`Listeners can give you an amount of their choice, with a note that only you read. What is left after tax and the site’s part is in your earnings.`}
            isOn={takesTips}
            onChange={(isOn) => change({ takesTips: isOn })}
          />
          {takesTips && (
            <Field
              label={t`Your thanks`}
              isOptional
              hint={t`Shown after a tip.`}
              autoComplete="off"
              maxLength={voiceLimits.tipThanks}
              value={tipThanks}
              onChange={({ target }) => change({ tipThanks: target.value })}
            />
          )}
        </fieldset>
      )}
      <fieldset className="grid gap-4">
        <legend className="field-label">
          <Trans>Your voice in private feeds</Trans>
        </legend>
        <p className="text-13 text-muted">
          <Trans>
            For subscribers with your feed in a podcast app: a public audio of yours comes first, speaks while a payment
            is due, or says goodbye. Without one, two tones and a text do.
          </Trans>
        </p>
        {feedRecordings.map((what) => {
          const chosen = edited.values[`${what}AudioId`];
          return (
            <TokenField
              key={what}
              label={recordingLabels[what]()}
              placeholder={t`Title of an audio`}
              tokens={chosen === null ? [] : [{ value: chosen, label: titles.get(chosen) ?? '' }]}
              max={1}
              suggest={suggestAudios}
              pauseMs={searchPauseMs}
              onChange={([token]) => {
                if (token !== undefined) setTitles(new Map([...titles, [token.value, token.label]]));
                change({ [`${what}AudioId`]: token?.value ?? null });
              }}
            />
          );
        })}
      </fieldset>
      <EditedButtons edited={edited} isReady={isReady} verb={t`Save page`} variant="primary" />
    </form>
  );
}
