import type { Actor } from '../../kernel/actor.ts';
import { bind } from '../../kernel/bind.ts';
import type { SiteAdminParts } from '../admin-parts.ts';
import { portableTexts } from '../texts/portable-texts.ts';
import { addAgeIssuer, removeAgeIssuer } from './age-issuers.ts';
import * as log from './log.ts';
import { openLookFile } from './look-file.ts';
import { changeLook, changeLookPicture, findLook, findRailChoices, resetLook } from './look.ts';
import { findOverview } from './overview.ts';
import { listRefusedContent } from './refused-content.ts';
import { openSiteArchive } from './site-archive.ts';
import { exportRevenue } from './revenue-csv.ts';
import { addUpSite } from './site-days.ts';
import {
  type SectionName,
  type SectionValues,
  changeSection,
  findSiteSettings,
  findUnseenSettings,
} from './site-settings.ts';
import { openSystem } from './system.ts';

/** The look, settings, system, log and overview of the site. */
export function openSiteAdmin(parts: SiteAdminParts) {
  const { db, settings, membership } = parts;
  const settingParts = { db, payments: membership.payments, refresh: async () => settings?.refresh() };
  return {
    ...openSystem(parts),
    ...openLookFile(parts, portableTexts),
    ...bind(db, {
      ...log,
      addUpSite,
      exportRevenue,
      findLook,
      findRailChoices,
      findSiteSettings,
      findUnseenSettings,
      listRefusedContent,
      openSiteArchive,
    }),
    ...bind(settingParts, { addAgeIssuer, removeAgeIssuer }),
    ...bind(parts, { changeLook, changeLookPicture, resetLook, findOverview }),
    changeSection: <Name extends SectionName>(
      actor: Actor,
      name: Name,
      change: { value: SectionValues[Name]; revision: number },
    ) => changeSection(settingParts, actor, name, change),
  };
}
