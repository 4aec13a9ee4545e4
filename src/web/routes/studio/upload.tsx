import { t } from '@lingui/core/macro';
import { languageChoices } from '#formats/language-names.ts';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { managedVoice } from '../../studio/managed-voice.ts';
import { UploadPage } from '../../studio/uploads/upload-page.tsx';
import { uploadsPerPage } from '../../studio/uploads/use-listed-uploads.ts';
import { useStudio } from '../../studio/use-studio.ts';
import type { Route } from './+types/upload';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const replaces = new URL(request.url).searchParams.get('replaces');
  const [page, categories, facets, commenters, profile, replaced] = await Promise.all([
    site.studio.listUploads(viewer, voice.id, { limit: uploadsPerPage }),
    site.catalogue.listCategories(),
    site.catalogue.listFacetFields(),
    site.community.findCommentSettings(voice.id).then(orNotFound),
    site.studio.findProfile(voice.id).then(orNotFound),
    replaces === null ? undefined : site.studio.findReplaced(viewer, voice.id, replaces).then(orNotFound),
  ]);
  const { items, nextCursor } = orNotFound(page);
  return {
    list: { items, nextCursor: nextCursor ?? null },
    categories: categories.map(({ id, label }) => ({ id, label })),
    facets,
    newCommenters: commenters.commenters,
    newLanguage: profile.language,
    languages: languageChoices(profile.language),
    replaced,
  };
}

export const meta = metaOf(() => ({ title: t`Upload`, description: t`Upload recordings`, index: 'no' }));

export default function StudioUpload({ loaderData }: Route.ComponentProps) {
  const { voice } = useStudio();
  return <UploadPage key={voice.id} voice={voice} {...loaderData} />;
}
