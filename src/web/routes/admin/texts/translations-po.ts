import { languageCodes } from '#formats/languages.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import type { Route } from './+types/translations-po';

/** Texts of the site with their translations, for translators; without a language, as a template. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const language = languageCodes.find((code) => code === url.searchParams.get('language'));
  return new Response(await site.admin.texts.exportTranslations(viewer, language), {
    headers: {
      'content-type': 'text/x-gettext-translation; charset=utf-8',
      'content-disposition': `attachment; filename="texts${language === undefined ? '.pot' : `-${language}.po`}"`,
      'cache-control': 'private, no-store',
    },
  });
}
