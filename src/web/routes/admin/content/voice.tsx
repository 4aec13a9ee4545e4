import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Form } from '#web/workshop/form.tsx';
import { languageChoices } from '#formats/language-names.ts';
import { useState } from 'react';
import { href, Link } from 'react-router';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ConsequenceDialog, useConfirm } from '#web/admin/consequence-dialog.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { titled } from '#web/workshop/titled.ts';
import { useCall } from '#web/admin/use-call.ts';
import { usePictureSave } from '../../../workshop/forms/use-picture-save.ts';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { type Found, VoiceField } from '#web/admin/found-fields.tsx';
import { VerificationPanel } from '#web/admin/verification/verification-panel.tsx';
import { VoiceInputs } from '#web/admin/people/voice-form.tsx';
import { answerOf, api, onManyAudios } from '#web/api.ts';
import { orNotFound } from '#web/route-errors.ts';
import { PictureField } from '#web/studio/picture-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/voice';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const voice = orNotFound(await site.admin.content.findVoice(viewer, params.id));
  const [categories, verification, signed] = await Promise.all([
    site.admin.content.listCategoryChoices(viewer),
    site.verification.findVerification(voice.id),
    site.admin.content.findAgreementsOf(viewer, voice.id),
  ]);
  const hasAgreed = signed !== undefined && signed.agreements.length > 0;
  return { voice, verification, hasAgreed, categories, languages: languageChoices(voice.language) };
}

export const meta = titled(({ voice }: Route.ComponentProps['loaderData']) => voice.name);

export default function AdminVoice({
  loaderData: { voice, verification, hasAgreed, categories, languages },
}: Route.ComponentProps) {
  const { busy, call } = useCall();
  const { confirm, dialog } = useConfirm();
  const { id, name, slug, isHidden } = voice;
  const { bio, categoryId, language } = voice;
  const saved = { name, voiceType: voice.voiceType ?? 'female', bio, categoryId, language };
  const edited = useEdited({
    key: `voice ${id}`,
    subject: { type: 'voice', id },
    saved,
    send: (_values, changed) => {
      const seen = { ...saved, voiceType: voice.voiceType };
      const before = Object.fromEntries(Object.entries(seen).filter(([field]) => field in changed));
      return answerOf(api.admin.voices[':id'].$patch({ param: { id }, json: { ...changed, before } }));
    },
  });
  const [account, setAccount] = useState('');
  const [isMerging, setIsMerging] = useState(false);
  const savePortrait = usePictureSave('Portrait', (picture) =>
    answerOf(api.studio.voices[':id'].$patch({ param: { id }, json: { picture } })),
  );
  const { audios, series, favorites, owners } = voice;

  const setHidden = (hidden: boolean): Promise<unknown> =>
    call('hide', () => api.admin.voices[':id'].$patch({ param: { id }, json: { isHidden: hidden } }, onManyAudios), {
      done: hidden ? t`${name} is hidden` : t`${name} is shown again`,
      undo: () => void setHidden(!hidden),
    });

  const restore = () =>
    call('restore', () => api.admin.voices[':id'].restore.$post({ param: { id } }, onManyAudios), {
      done: t`${name} is restored`,
      about: id,
      leavesTo: href('/admin/voices/:id', { id }),
    });

  async function setOwner(who: string, isOwner: boolean): Promise<void> {
    const done = await call(
      `owner ${who}`,
      () => api.admin.voices[':id'].owners.$put({ param: { id }, json: { account: who, isOwner } }),
      { done: isOwner ? t`${who} now owns ${name}` : t`${who} no longer manages ${name}` },
    );
    if (done !== undefined && isOwner) setAccount('');
  }

  const askToDelete = () =>
    confirm({
      title: t`Delete ${name}`,
      consequences: t`${plural(audios, { one: '# audio', other: '# audios' })}, ${plural(series, { one: '# series', other: '# series' })}, ${plural(owners, { one: '# owner', other: '# owners' })} and ${plural(favorites, { one: '# favorite', other: '# favorites' })} go with them. You can restore all of that for 30 days.`,
      verb: t`Delete creator`,
      onConfirm: () =>
        call('delete', () => api.admin.voices[':id'].delete.$post({ param: { id }, json: { name } }, onManyAudios), {
          done: t`${name} is deleted`,
          about: id,
          leavesTo: href('/admin/voices'),
          undo: () => void restore(),
        }),
    });

  return (
    <>
      <WorkshopHead
        title={name}
        back={{ to: href('/admin/voices'), label: t`Creators` }}
        facts={
          <span className="flex flex-wrap items-center gap-3">
            {isHidden && <StateMark tone="bad" text={t`Hidden`} />}
            {t`${plural(audios, { one: '# audio', other: '# audios' })}, ${plural(series, { one: '# series', other: '# series' })}, ${plural(favorites, { one: '# favorite', other: '# favorites' })}`}
          </span>
        }
      >
        {!isHidden && <Button render={<Link to={href('/creators/:slug', { slug })}>{t`View page`}</Link>} />}
        <Button render={<Link to={href('/studio/:voice', { voice: slug })}>{t`Open in Studio`}</Link>} />
      </WorkshopHead>
      <div className="main-and-aside">
        <Pane
          title={t({ message: 'About', context: 'creator' })}
          end={<Cover imageUrl={voice.imageUrl} shape="circle" size={56} />}
        >
          <Form onSubmit={() => void edited.save()}>
            <VoiceInputs
              fields={edited.values}
              categories={categories}
              languages={languages}
              onChange={edited.change}
            />
          </Form>
          <h3 className="mt-8 mb-3">
            <Trans>Portrait</Trans>
          </h3>
          <PictureField name="portrait" imageUrl={voice.imageUrl} shapes={['arch', 'square']} onChoose={savePortrait} />
          <p className="text-13 mt-4 text-muted">
            <Trans>
              Address and series:{' '}
              <Link className="link" to={href('/studio/:voice/voice', { voice: slug })}>
                creator page in the Studio
              </Link>
            </Trans>
          </p>
        </Pane>
        <aside className="stack" aria-label={t`People and visibility`}>
          <Pane title={t`People`}>
            {voice.people.length === 0 ? (
              <p className="text-14 mb-4 text-muted">
                <Trans>Only operators manage this creator’s audios.</Trans>
              </p>
            ) : (
              <ul className="todo mb-4">
                {voice.people.map((person) => {
                  const who = person.username ?? person.email ?? '';
                  return (
                    <li key={person.id}>
                      <div className="min-w-0">
                        <b className="truncate">{who}</b>
                        <small>{person.role === 'owner' ? t`Owner` : t`Editor`}</small>
                      </div>
                      <Button
                        variant="ghost"
                        size="sm"
                        aria-label={t`Remove ${{ name: who }}`}
                        busy={busy === `owner ${who}` ? t`Removing…` : undefined}
                        onClick={() => void setOwner(who, false)}
                      >
                        {t`Remove`}
                      </Button>
                    </li>
                  );
                })}
              </ul>
            )}
            <Form
              onSubmit={() => {
                if (account.trim() !== '') void setOwner(account.trim(), true);
              }}
            >
              <Field
                label={t`Email or username`}
                value={account}
                autoComplete="off"
                maxLength={200}
                onChange={(event) => setAccount(event.target.value)}
              />
              <Button type="submit" disabled={account.trim() === ''}>
                {t`Add owner`}
              </Button>
            </Form>
          </Pane>
          <VerificationPanel voice={voice} verification={verification} hasAgreed={hasAgreed} />
          <Pane title={t`Visibility`} gap="mb-2">
            <p className="text-14 mb-4 text-soft">
              {isHidden
                ? t`Listeners see neither the creator nor their ${plural(audios, { one: '# audio', other: '# audios' })} and ${plural(series, { one: '# series', other: '# series' })}. Showing them again brings all of it back.`
                : t`Hiding takes the creator, ${plural(audios, { one: '# audio', other: '# audios' })} and ${plural(series, { one: '# series', other: '# series' })} from every page, search and feed. Nothing is lost.`}
            </p>
            <Button busy={busy === 'hide' ? t`Working…` : undefined} onClick={() => void setHidden(!isHidden)}>
              {isHidden ? t`Show again` : t`Hide`}
            </Button>
          </Pane>
          <Pane title={t`Merge`} gap="mb-2">
            <p className="text-14 mb-4 text-soft">
              <Trans>
                Moves everything to another creator, permanently. This creator’s address then redirects there.
              </Trans>
            </p>
            <Button onClick={() => setIsMerging(true)}>{t`Merge into another`}</Button>
          </Pane>
          <Pane title={t`Delete`} gap="mb-2">
            <p className="text-14 mb-4 text-soft">
              {t`Takes the creator, ${plural(audios, { one: '# audio', other: '# audios' })} and ${plural(series, { one: '# series', other: '# series' })} from every page, also from the Studio. It can be undone for 30 days.`}
            </p>
            <Button onClick={askToDelete}>{t`Delete creator`}</Button>
          </Pane>
        </aside>
      </div>
      <EditedBar
        edited={edited}
        valueNames={Object.fromEntries(categories.map((category) => [category.id, category.label]))}
      />
      {dialog}
      {isMerging && <MergeDialog voice={voice} onClose={() => setIsMerging(false)} />}
    </>
  );
}

type MergeDialogProps = Pick<Route.ComponentProps['loaderData'], 'voice'> & { onClose: () => void };

function MergeDialog({ voice: { id, name, audios, series, owners, favorites }, onClose }: MergeDialogProps) {
  const { call } = useCall();
  const [into, setInto] = useState<Found>();
  return (
    <ConsequenceDialog
      title={t`Merge ${name}`}
      consequences={t`This cannot be undone: ${plural(audios, { one: '# audio', other: '# audios' })}, ${plural(series, { one: '# series', other: '# series' })}, ${plural(owners, { one: '# owner', other: '# owners' })}, ${plural(favorites, { one: '# favorite', other: '# favorites' })} and all seconds heard move to the other creator. Only the name, text and portrait of ${name} go.`}
      typedName={name}
      verb={t`Merge creators`}
      isReady={into !== undefined}
      onClose={onClose}
      onConfirm={async (typed) =>
        into &&
        call(
          'merge',
          () =>
            api.admin.voices[':id'].merge.$post(
              { param: { id }, json: { into: into.value, name: typed } },
              onManyAudios,
            ),
          {
            done: ({ held }) =>
              held === 0
                ? t`${name} is merged into ${{ other: into.label }}`
                : plural(held, {
                    one: `${name} is merged into ${{ other: into.label }}. # audio is a draft now: the check of the other creator does not count.`,
                    other: `${name} is merged into ${{ other: into.label }}. # audios are drafts now: the check of the other creator does not count.`,
                  }),
            leavesTo: href('/admin/voices/:id', { id: into.value }),
          },
        )
      }
    >
      <VoiceField label={t`Into`} found={into} except={id} onChoose={setInto} />
    </ConsequenceDialog>
  );
}
