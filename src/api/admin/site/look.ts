import { z } from '@hono/zod-openapi';
import { maxLookFileBytes } from '#domain/admin/rules.ts';
import type { TextPart } from '#domain/admin/site/look.ts';
import { lookParts, lookSettings } from '#domain/look/settings.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { adminCall, freshAdminCall } from '../../call.ts';
import { pictureBodyBytes } from '../../pictures.ts';

/** The look of the site, for operators. */

const limit = { kind: 'admin-look', perMinute: 60 };
const maxBytes = 64 * 1024;
const revision = z.int().min(0).max(2_147_483_646).describe('Of the value that was seen; 0: never changed');
const errors = ['look/changed', 'look/contrast', 'look/unknown-content'] as const;
const pictureErrors = [...errors, 'picture/unreadable', 'look/bad-svg', 'look/svg-too-large'] as const;
const fileErrors = ['look/changed', 'look/bad-file', 'look/newer-file', 'look/nothing-to-undo'] as const;

/** The call that changes a part other than a picture. */
function changing<const Part extends TextPart>(part: Part, about: string) {
  const find = async ({ site, viewer }: { site: Site; viewer: User }) => (await site.admin.site.findLook(viewer))[part];
  return adminCall({
    put: `/admin/look/${part}` as `/admin/look/${Part}`,
    about,
    seen: { revision: async (given) => (await find(given)).revision },
    unchanged: { value: async (given) => (await find(given)).value },
    input: z.strictObject({ value: lookSettings[part].schema, revision }),
    errors,
    limit,
    maxBytes,
    act: ({ site, viewer, input }) => site.admin.site.changeLook(viewer, part, input as never),
  });
}

const colorsRule = 'Changes accent and ground of both themes; refused where something could not be read';

export const changeName = changing('name', 'Renames the site');
export const changeColors = changing('colors', colorsRule);
export const changeHero = changing('hero', 'Changes the first lines on Home');
export const changeSignUp = changing('sign-up', 'Changes the note above the sign-up');
export const changeFooter = changing('footer', 'Changes the footer');
export const changeHome = changing('home', 'Changes the rails on Home, for visitors and for listeners');

export const changeLookPicture = adminCall({
  put: '/admin/look/pictures/{part}',
  seen: { revision: async ({ site, viewer, part }) => (await site.admin.site.findLook(viewer))[part].revision },
  about: 'Takes a new logo, icon, share card or picture of Home',
  params: z.object({ part: z.enum(['logo', 'icon', 'card', 'hero-picture']) }),
  input: z.strictObject({
    picture: z.base64('Send the picture in base64').min(8).describe('PNG, JPEG, WebP or AVIF; SVG for logo and icon'),
    theme: z.enum(['dark', 'light']).optional().describe('Of the logo'),
    revision,
  }),
  output: z.object({ removed: z.array(z.string()).describe('Names of the parts removed from an SVG') }),
  errors: pictureErrors,
  limit,
  maxBytes: pictureBodyBytes,
  async act({ site, viewer, part, input: { picture, ...rest } }) {
    const bytes = Buffer.from(picture, 'base64');
    const outcome = await site.admin.site.changeLookPicture(viewer, part, { ...rest, picture: bytes });
    return outcome.ok ? { removed: outcome.removed ?? [] } : outcome;
  },
});

export const resetLook = adminCall({
  post: '/admin/look/{part}/reset',
  seen: { revision: async ({ site, viewer, part }) => (await site.admin.site.findLook(viewer))[part].revision },
  about: 'Makes a part of the look as the site comes',
  params: z.object({ part: z.enum(lookParts) }),
  input: z.strictObject({ revision }),
  errors,
  limit,
  maxBytes,
  act: ({ site, viewer, part, input }) => site.admin.site.resetLook(viewer, part, input.revision),
});

export const importLook = freshAdminCall({
  post: '/admin/look/import',
  about: 'Replaces the whole look by an exported one; can be undone',
  input: z.strictObject({ file: z.string().min(1) }),
  errors: fileErrors,
  limit,
  // JSON's escapes make the text longer.
  maxBytes: maxLookFileBytes + 1024 * 1024,
  act: ({ site, viewer, input }) => site.admin.site.importLook(viewer, input.file),
});

export const undoImport = freshAdminCall({
  post: '/admin/look/undo-import',
  about: 'Takes the last import back',
  errors: fileErrors,
  limit,
  act: ({ site, viewer }) => site.admin.site.undoImport(viewer),
});
