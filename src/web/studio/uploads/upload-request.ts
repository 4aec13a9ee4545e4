import type { LocalUpload } from './local-uploads.ts';

/** The fields of `UploadForm` as texts, for the header `Upload-Metadata`. */
export function metadataOf({ voiceId, file, title, choices, replaces }: LocalUpload): Record<string, string> {
  return {
    voiceId,
    fileName: file.name,
    title,
    ...(choices.categoryId !== undefined && { categoryId: choices.categoryId }),
    ...(choices.isFree !== undefined && { isFree: String(choices.isFree) }),
    ...(choices.commenters !== undefined && { commenters: choices.commenters }),
    ...(replaces !== undefined && { replaces }),
  };
}

/** The site's refusal in the body of its answer. */
export function errorIn(body: string | undefined): { code?: string; message?: string } {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: { code?: string; message?: string } };
    return error ?? {};
  } catch {
    return {};
  }
}
