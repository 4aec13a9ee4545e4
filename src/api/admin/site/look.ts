import { z } from '@hono/zod-openapi';
import { maxLookFileBytes } from '#domain/admin/rules.ts';
import * as forms from '#domain/look/forms.ts';
import { adminCall, freshAdminCall } from '../../call.ts';
import { pictureBodyBytes } from '../../pictures.ts';

/** The look of the site, for operators. */

const limit = { kind: 'admin-look', perMinute: 60 };
const maxBytes = 64 * 1024;
const revision = z.int().min(0).max(2_147_483_646).describe('Of the value that was seen; 0: never changed');
const change = <Value extends z.ZodType>(value: Value) => z.strictObject({ value, revision });
const errors = ['look/changed', 'look/contrast', 'look/unknown-content'] as const;
const pictureErrors = [...errors, 'picture/unreadable', 'look/bad-svg', 'look/svg-too-large'] as const;
const fileErrors = ['look/changed', 'look/bad-file', 'look/newer-file', 'look/nothing-to-undo'] as const;

export const changeName = adminCall({
  put: '/admin/look/name',
  about: 'Renames the site',
  input: change(forms.NameForm),
  errors,
  limit,
  maxBytes,
  act: ({ site, viewer, input }) => site.admin.site.changeLook(viewer, 'name', input),
});

export const changeColors = adminCall({
  put: '/admin/look/colors',
  about: 'Changes accent and ground of both themes; refused where something could not be read',
  input: change(forms.ColorsForm),
  errors,
  limit,
  maxBytes,
  act: ({ site, viewer, input }) => site.admin.site.changeLook(viewer, 'colors', input),
});

export const changeHero = adminCall({
  put: '/admin/look/hero',
  about: 'Changes the first lines on Home',
  input: change(forms.HeroForm),
  errors,
  limit,
  maxBytes,
  act: ({ site, viewer, input }) => site.admin.site.changeLook(viewer, 'hero', input),
});

export const changeSignUp = adminCall({
  put: '/admin/look/sign-up',
  about: 'Changes the note above the sign-up',
  input: change(forms.SignUpForm),
  errors,
  limit,
  maxBytes,
  act: ({ site, viewer, input }) => site.admin.site.changeLook(viewer, 'sign-up', input),
});

export const changeFooter = adminCall({
  put: '/admin/look/footer',
  about: 'Changes the footer',
  input: change(forms.FooterForm),
  errors,
  limit,
  maxBytes,
  act: ({ site, viewer, input }) => site.admin.site.changeLook(viewer, 'footer', input),
});

export const changeHome = adminCall({
  put: '/admin/look/home',
  about: 'Changes the rails on Home, for visitors and for listeners',
  input: change(forms.HomeForm),
  errors,
  limit,
  maxBytes,
  act: ({ site, viewer, input }) => site.admin.site.changeLook(viewer, 'home', input),
});

export const changeLookPicture = adminCall({
  put: '/admin/look/pictures/{part}',
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
  about: 'Makes a part of the look as the site comes',
  params: z.object({
    part: z.enum(['name', 'logo', 'icon', 'card', 'colors', 'hero', 'hero-picture', 'sign-up', 'footer', 'home']),
  }),
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
