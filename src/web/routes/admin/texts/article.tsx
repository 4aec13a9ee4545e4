import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ExternalLink from 'lucide-react/icons/external-link';
import { languageChoices } from '#formats/language-names.ts';
import { useEffect, useRef } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { articleLengths, maxArticleAudios } from '#domain/admin/rules.ts';
import { AddAudio, AddedAudio } from '#web/admin/content/add-audio.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { deletionOf, useConfirm } from '#web/admin/consequence-dialog.tsx';
import { titled } from '#web/workshop/titled.ts';
import { type SendRevised, ArticlePicture } from '#web/admin/texts/article-picture.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { MarkdownField } from '#web/admin/texts/markdown-field.tsx';
import { RenderedText } from '#web/admin/texts/rendered-text.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { HandOrder, moved } from '#web/workshop/forms/hand-order.tsx';
import {
  type Publication,
  publicationNotices,
  publicationTime,
  PublishingPanel,
} from '#web/workshop/forms/publishing-panel.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { usePreview } from '#web/admin/texts/use-preview.ts';
import { answerOf, api } from '#web/api.ts';
import { orNotFound } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { LanguageField } from '#web/workshop/forms/language-field.tsx';
import { PublicationMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/article';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const article = orNotFound(await site.admin.texts.findArticle(viewer, params.id));
  return {
    article: orNotFound(article.state === 'deleted' ? undefined : article),
    topics: site.editorial.listTopics(),
    languages: languageChoices(article.language),
    now: Date.now(),
  };
}

export const meta = titled(({ article }: Route.ComponentProps['loaderData']) => article.title);

export default function AdminArticle({ loaderData: { article, topics, languages, now } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const calls = useCall();
  const { call } = calls;
  const { confirm, dialog } = useConfirm();
  const { id, revision, state, slug, publishedAt } = article;
  // After a save, this page's data may still have the previous revision.
  const newest = useRef(revision);
  useEffect(() => {
    newest.current = Math.max(newest.current, revision);
  }, [revision]);
  const last = useRef<Promise<unknown>>(Promise.resolve());

  /** One change after the other, each with the revision that the one before made. */
  const inTurn: SendRevised = (send) => {
    const sent = last.current.then(async () => {
      const answer = await send(newest.current);
      if (answer.ok) newest.current = answer.data.revision;
      return answer;
    });
    last.current = sent.catch(() => undefined);
    return sent;
  };

  const edited = useEdited({
    key: `article ${id}`,
    subject: { type: 'article', id },
    saved: {
      title: article.title,
      slug: article.slug,
      description: article.description,
      body: article.body,
      topic: article.topic,
      language: article.language,
      audios: article.audios,
    },
    send: (_values, { audios, ...fields }) =>
      inTurn((seen) =>
        answerOf(
          api.admin.articles[':id'].$patch({
            param: { id },
            json: { revision: seen, ...fields, ...(audios && { audioIds: audios.map((audio) => audio.id) }) },
          }),
        ),
      ),
  });
  const { values, change } = edited;
  const preview = usePreview(values.body, { html: article.html, readTime: article.readTime }, () =>
    answerOf(api.admin['markdown-preview'].$post({ json: { text: values.body } })),
  );

  /** Typed text is saved first. */
  async function publish(publication: Publication): Promise<boolean> {
    if (!(await edited.save())) return false;
    const send = (at: string | null) => (seen: number) =>
      answerOf(api.admin.articles[':id'].publication.$put({ param: { id }, json: { revision: seen, at } }));
    const done = await call('publish', () => inTurn(send(publicationTime(publication))), {
      done: publicationNotices()[publication.state],
      undo: (made) => void call('publish', () => send(publishedAt?.toISOString() ?? null)(made.revision)),
    });
    return done !== undefined;
  }

  const remove = () =>
    call('delete', () => api.admin.articles[':id'].$delete({ param: { id } }), {
      done: t`${{ name: article.title }} is deleted`,
      about: id,
      undo: () => void restore(),
      leavesTo: href('/admin/articles'),
    });

  async function restore(): Promise<void> {
    await answerOf(api.admin.articles[':id'].restore.$post({ param: { id } }));
    await navigate(href('/admin/articles/:id', { id }));
  }

  return (
    <>
      <WorkshopHead
        title={values.title.trim() === '' ? article.title : values.title}
        back={{ to: href('/admin/articles'), label: t`Articles` }}
        facts={
          <span className="flex flex-wrap items-center gap-3">
            <PublicationMark of={article} isDated />
            {preview.data.readTime}
          </span>
        }
      >
        {state === 'published' && (
          <Button render={<Link to={href('/blog/:slug', { slug })} />}>
            <Icon of={ExternalLink} size={16} />
            <Trans>View page</Trans>
          </Button>
        )}
        <Button onClick={() => confirm(deletionOf('article', article, remove))}>{t`Delete`}</Button>
      </WorkshopHead>
      <div className="main-and-aside">
        <div className="stack">
          <div className="field-list">
            <Field
              label={t`Title`}
              value={values.title}
              maxLength={articleLengths.title}
              error={values.title.trim() === '' ? t`Enter a title` : undefined}
              onChange={(event) => change({ title: event.target.value })}
            />
            <TextArea
              label={t`Description`}
              isOptional
              rows={2}
              value={values.description}
              maxLength={articleLengths.description}
              onChange={(event) => change({ description: event.target.value })}
            />
          </div>
          <MarkdownField
            label={t`Text`}
            value={values.body}
            maxLength={articleLengths.body}
            onChange={(body) => change({ body })}
            onSave={() => void edited.save()}
            error={preview.error}
            preview={
              preview.data.html === '' ? (
                <p className="text-muted">
                  <Trans>What you write appears here.</Trans>
                </p>
              ) : (
                <RenderedText className="prose prose--article" html={preview.data.html} />
              )
            }
          />
          <section aria-labelledby="audios">
            <div className="workshop-section__head">
              <h2 id="audios">
                <Trans>Audios in this article</Trans>
              </h2>
            </div>
            {values.audios.length < maxArticleAudios && (
              <AddAudio
                isListed={(audioId) => values.audios.some((audio) => audio.id === audioId)}
                onAdd={(audio) => change({ audios: [...values.audios, audio] })}
              />
            )}
            {values.audios.length > 0 && (
              <div className="mt-4">
                <HandOrder
                  label={t`Audios in this article`}
                  items={values.audios}
                  nameOf={(audio) => audio.title}
                  onMove={(from, to) => change({ audios: moved(values.audios, from, to) })}
                  onRemove={({ id: gone }) => change({ audios: values.audios.filter((audio) => audio.id !== gone) })}
                  renderItem={(audio) => <AddedAudio audio={audio} />}
                />
              </div>
            )}
          </section>
        </div>
        <aside className="stack" aria-label={t`About the article`}>
          <PublishingPanel
            state={state}
            publishedAt={publishedAt}
            seenBy={t`Only operators see it`}
            now={now}
            onPublish={publish}
          />
          <section className="pane field-list" aria-label={t`Details`}>
            <ChoiceField
              label={t`Topic`}
              value={values.topic}
              none={null}
              options={topics.map(({ slug: value, label }) => ({ value, label }))}
              onChoose={(topic) => change({ topic })}
            />
            <LanguageField value={values.language} choices={languages} onChoose={(language) => change({ language })} />
            <Field
              label={t`Address`}
              value={values.slug}
              maxLength={articleLengths.slug}
              autoComplete="off"
              spellCheck={false}
              hint={t`/blog/${{ address: values.slug }}. Old addresses redirect here.`}
              onChange={(event) => change({ slug: event.target.value })}
            />
          </section>
          <ArticlePicture article={article} inTurn={inTurn} {...calls} />
        </aside>
      </div>
      <EditedBar edited={edited} />
      {dialog}
    </>
  );
}
