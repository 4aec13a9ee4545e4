import { t } from '@lingui/core/macro';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { LookColors } from '#web/admin/site/look-colors.tsx';
import { LookFooter } from '#web/admin/site/look-footer.tsx';
import { LookPicture, LookTransfer } from '#web/admin/site/look-files.tsx';
import { LookTexts } from '#web/admin/site/look-texts.tsx';
import card from '#web/art/card.jpg';
import hero from '#web/art/hero-1000.avif';
import icon from '#web/art/icon-192.png';
import { Logo } from '#web/ui/images/logo.tsx';
import { TranslationsLink } from '#web/admin/texts/translations-link.tsx';
import type { Route } from './+types/look';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [parts, canUndo] = await Promise.all([site.admin.site.findLook(viewer), site.admin.site.canUndo(viewer)]);
  return { parts, ofEnvironment: site.look.ofEnvironment, siteName: site.facts.name, canUndo, now: Date.now() };
}

export default function AdminLook({ loaderData }: Route.ComponentProps) {
  const { parts, ofEnvironment, siteName, canUndo, now } = loaderData;
  const { logo, icon: ownIcon, card: ownCard, 'hero-picture': heroPicture } = parts;
  const { dark, light } = logo.value;
  return (
    <>
      <WorkshopHead title={t`Look`} facts={t`Everyone sees a change within seconds. Changes are logged.`}>
        <TranslationsLink kind="look" subject="all" />
      </WorkshopHead>
      <div className="max-w-[1000px]">
        <LookTexts of="name" facts={parts.name} placeholder={ofEnvironment} now={now} />
        <LookPicture
          part="logo"
          title={t`Logo`}
          help={t`SVG, or PNG with a transparent background. 32 px high and at most 180 px wide at the top of every page.`}
          facts={logo}
          now={now}
          takesSvg
          themes={['dark', 'light']}
        >
          {dark === null && light === null ? (
            <span className="logo">
              <Logo siteName={siteName} />
            </span>
          ) : (
            [dark ?? light, light ?? dark].map(
              (one, index) =>
                one && (
                  <span
                    key={index}
                    className="rounded-card p-4"
                    style={{ background: index === 0 ? '#141012' : '#f8f4f3' }}
                  >
                    <img
                      src={`/${one.key}`}
                      alt={index === 0 ? t`The logo in the dark theme` : t`The logo in the light theme`}
                      className="h-8 max-w-45 object-contain"
                    />
                  </span>
                ),
            )
          )}
        </LookPicture>
        <LookPicture
          part="icon"
          title={t`Icon`}
          help={t`A square SVG or PNG of at least 512 px, for tabs and home screens. All sizes are made from it.`}
          facts={ownIcon}
          now={now}
          takesSvg
        >
          <img
            src={ownIcon.value.icon ? `/${ownIcon.value.icon.png192}` : icon}
            alt={t`The icon`}
            width={96}
            height={96}
          />
        </LookPicture>
        <LookPicture
          part="card"
          title={t`Share card`}
          help={t`Shown where a link to the site is shared. Cut to 1200 × 630 px.`}
          facts={ownCard}
          now={now}
        >
          <img
            src={ownCard.value.key === null ? card : `/${ownCard.value.key}`}
            alt={t`The share card`}
            className="w-full max-w-80 rounded-cover"
          />
        </LookPicture>
        <LookColors part={parts.colors} now={now} />
        <LookTexts of="hero" facts={parts.hero} now={now} />
        <LookPicture
          part="hero-picture"
          title={t`Picture on Home`}
          help={t`Background of the headline, at least 2000 px wide and dark at the left, where the text is.`}
          facts={heroPicture}
          now={now}
        >
          <img
            src={heroPicture.value.picture ? `/${heroPicture.value.picture.small}` : hero}
            alt={t`On Home`}
            className="w-full max-w-100 rounded-cover"
          />
        </LookPicture>
        <LookTexts of="sign-up" facts={parts['sign-up']} now={now} />
        <LookFooter part={parts.footer} now={now} />
        <LookTransfer canUndo={canUndo} />
      </div>
    </>
  );
}
