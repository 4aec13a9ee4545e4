import { z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/forms.ts';
import { facetChoices } from '#domain/catalogue/rules.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { callBy } from '../../call.ts';

/** Groups of tags, for operators. */

const adminCall = callBy('operator', { limit: { kind: 'admin-lists', perMinute: 120 }, maxBytes: 8 * 1024 });
/** For what is for good. */
const freshAdminCall = callBy('fresh-operator', { limit: { kind: 'admin-lists', perMinute: 60 }, maxBytes: 4 * 1024 });

/** Says how many audios have several tags, and what to do. */
export const crowded = ({ audios: count }: { audios: number }) =>
  new DomainError(
    'facet/crowded',
    /*i18n*/ {
      id: 'error.facet/crowded-audios',
      message:
        '{count, plural, one {# audio has} other {# audios have}} several of these tags, but the facet takes one of each audio. Nothing was changed. Let the facet take several, or remove tags from these audios first.',
      values: { count },
    },
  );
const refuses = {
  'notes-elsewhere': 'facet/notes-elsewhere',
  'address-taken': 'facet/address-taken',
  crowded,
} as const;

export const findFacets = adminCall({
  get: '/admin/facets',
  command: 'facets list',
  about: 'Facets with their tags, in their order',
  output: z.object({
    items: z.array(
      z.object({
        id: z.uuid(),
        slug: z.string(),
        label: z.string(),
        explanation: z.string(),
        chooses: z.enum(facetChoices),
        isRequired: z.boolean(),
        hasContentNotes: z.boolean(),
        tags: z.array(z.object({ id: z.uuid(), slug: z.string(), label: z.string(), audios: z.int() })),
      }),
    ),
  }),
  act: async ({ site, viewer }) => ({ items: await site.admin.content.listFacets(viewer) }),
});

export const createFacet = adminCall({
  post: '/admin/facets',
  about: 'Makes a facet, at the end of the list',
  input: forms.FacetForm,
  output: z.object({ id: z.uuid() }),
  status: 201,
  refuses,
  act: async ({ site, viewer, input }) => {
    const made = await site.admin.content.createFacet(viewer, input);
    return made.ok ? { id: made.id } : made;
  },
});

export const addFacetPresets = adminCall({
  post: '/admin/facets/presets',
  about: 'Adds the facets to start with; existing tags with the same names move in',
  output: z.object({
    facets: z.int().describe('New ones'),
    tags: z.int().describe('That are in a facet now, and were not'),
  }),
  refuses,
  act: async ({ site, viewer }) => {
    const added = await site.admin.content.addFacetPresets(viewer);
    return added.ok ? { facets: added.facets, tags: added.tags } : added;
  },
});

export const editFacet = adminCall({
  patch: '/admin/facets/{id}',
  about: 'Changes a facet',
  input: forms.FacetEdit,
  refuses,
  errors: ['text/changed-meanwhile'],
  act: ({ site, viewer, id, input }) => site.admin.content.editFacet(viewer, id, input),
});

export const orderFacets = adminCall({
  put: '/admin/facets/order',
  about: 'Puts the facets in order',
  input: forms.OrderForm,
  errors: ['list/changed'],
  maxBytes: 64 * 1024,
  act: async ({ site, viewer, input }) =>
    (await site.admin.content.orderByHand(viewer, 'facet', input)) || { ok: false, reason: 'list/changed' },
});

export const deleteFacet = freshAdminCall({
  delete: '/admin/facets/{id}',
  about: 'Deletes a facet for good; its tags stay, in no facet',
  act: ({ site, viewer, id }) => site.admin.content.deleteFacet(viewer, id),
});

export const setFacetTags = adminCall({
  put: '/admin/facets/{id}/tags',
  about: 'Sets the tags of a facet and their order: those of other facets move here',
  input: forms.FacetTagsForm,
  refuses,
  errors: ['list/changed'],
  maxBytes: 128 * 1024,
  act: ({ site, viewer, id, input }) => site.admin.content.setFacetTags(viewer, id, input),
});

export const addFacetTag = adminCall({
  post: '/admin/facets/{id}/tags',
  about: 'Adds a tag by its name, which is made if there is none, at the end of a facet',
  input: forms.FacetTagForm,
  output: z.object({ id: z.uuid() }),
  refuses,
  act: async ({ site, viewer, id, input }) => {
    const added = await site.admin.content.addFacetTag(viewer, id, input);
    return added.ok ? { id: added.id } : added;
  },
});
